/* SPDX-License-Identifier: MIT */
/* Which rows of a ledger a report shows, and in which order. */
#ifndef PWRTRACE_SHOWN_ROWS_H
#define PWRTRACE_SHOWN_ROWS_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

/* Returns the rows to show (const struct ledger_row *), sorted, filtered and cut; the caller frees
 * the array. */
GPtrArray *shown_rows(const struct ledger *ledger, const struct view_options *options);

/* The same rows as a tree, each after the row that it is below and before what is below itself,
 * rows of one parent in the order of the column.  Rows above such as are shown are there too.
 * The caller frees the array (struct shown_line). */
struct shown_line {
	const struct ledger_row *row;
	bool shown; /* itself, and not only for what is below it */
};
GArray *shown_lines(const struct ledger *ledger, const struct view_options *options);

/* The energy of rows that are not shown: of those that do not pass the filter, and of those that
 * pass it and come after the first ones. */
struct shown_left_out {
	uint64_t filtered_nj, cut_nj;
};
struct shown_left_out shown_left_out(
	const struct ledger *ledger, const struct view_options *options);

#endif
