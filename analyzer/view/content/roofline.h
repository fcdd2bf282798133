/* SPDX-License-Identifier: MIT */
/* What kernels do with their time and energy, by the operations that the user says they do. */
#ifndef PWRTRACE_ROOFLINE_H
#define PWRTRACE_ROOFLINE_H

#include "analyzer/view/content/options.h"

/* What an execution of a row's kernel does; NULL where that is not known. */
const struct operation_counts *roofline_counts(
	const struct view_options *options, const struct ledger_row *row);

/* The energy of an operation; NaN where it is not known. */
double roofline_j_per_operation(
	const struct operation_counts *counts, const struct ledger_sums *sums);

/* What takes longer at the peaks: "compute" or "memory"; NULL of rows that are not known.  S.
 * Williams, A. Waterman and D. Patterson, "Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures", Communications of the ACM 52, 2009. */
const char *roofline_bound(const struct view_options *options, const struct ledger_row *row);

#endif
