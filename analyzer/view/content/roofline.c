/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/roofline.h"

#include <math.h>

#include "analyzer/view/content/sums.h"

const struct operation_counts *roofline_counts(
	const struct view_options *options, const struct ledger_row *row)
{
	if (g_strcmp0(row->kind, "kernel") != 0)
		return NULL;
	return operations_find(options->operations, row->name, row->short_name, row->shape);
}

double roofline_j_per_operation(
	const struct operation_counts *counts, const struct ledger_sums *sums)
{
	double time_s = (double)sums->busy_ns / 1e9 / (double)sums->timed;
	double power_w = sums_power(sums);

	return power_w < 0 ? NAN : power_w * time_s / counts->operations;
}

const char *roofline_bound(const struct view_options *options, const struct ledger_row *row)
{
	const struct operation_counts *counts = roofline_counts(options, row);

	if (!counts)
		return NULL;
	return counts->operations / options->peak_operations >= counts->bytes / options->peak_bytes
		       ? "compute"
		       : "memory";
}
