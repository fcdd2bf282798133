/* SPDX-License-Identifier: MIT */
/*
 * Which rows to show: comparisons of columns (column.h), joined as in C and awk.
 *
 *	layer ~ "encoder.*" && (energy > 100mJ || share >= 5%) && !(api == opencl)
 *
 * Texts: == (or =), != and, with a Perl-compatible regular expression that may match anywhere, ~ or
 * !~.  Numbers: == != < <= > >=, with an SI prefix and the column's unit, or %, after them.  What
 * is not known passes no comparison.
 */
#ifndef PWRTRACE_FILTER_H
#define PWRTRACE_FILTER_H

#include "analyzer/ledger/ledger.h"

struct filter;

/* Returns NULL, with one line in *why (g_free it), where the expression is none. */
struct filter *filter_parse(const char *expression, char **why);
void filter_free(struct filter *filter);

bool filter_passes(
	const struct filter *filter, const struct ledger *ledger, const struct ledger_row *row);

#endif
