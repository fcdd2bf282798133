/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/sums.h"

struct ledger_sums sums_own(const struct ledger_row *row)
{
	return (struct ledger_sums){.executions = row->executions,
		.timed = row->timed,
		.busy_ns = row->time_ns,
		.unmeasured_ns = row->unmeasured_ns,
		.energy_nj = row->energy_nj,
		.static_nj = row->static_nj,
		.static_known = row->static_known,
		.ci95_j = row->ci95_j,
		.energy_known = row->energy_known};
}

struct ledger_sums sums_shown(const struct ledger_row *row)
{
	return row->node ? row->node->all : sums_own(row);
}

bool sums_time_known(const struct ledger_sums *sums)
{
	return sums->timed || !sums->executions;
}

double sums_share(const struct ledger *ledger, const struct ledger_sums *sums)
{
	if (!sums->energy_known || !ledger->total.attributed_nj)
		return -1;
	return (double)sums->energy_nj / (double)ledger->total.attributed_nj;
}

double sums_power(const struct ledger_sums *sums)
{
	uint64_t measured_ns = sums->busy_ns - sums->unmeasured_ns;

	return sums->energy_known && measured_ns ? (double)sums->energy_nj / (double)measured_ns
						 : -1;
}

double sums_ci95(const struct ledger_sums *sums)
{
	return sums->energy_known && sums->ci95_j >= 0 ? sums->ci95_j : -1;
}

bool sums_in_tree(const struct ledger *ledger)
{
	return ledger->rows->len && g_array_index(ledger->rows, struct ledger_row, 0).node;
}
