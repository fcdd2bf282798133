/* SPDX-License-Identifier: MIT */
/* Report formats: one file each and one row in view.c. */
#ifndef PWRTRACE_VIEW_H
#define PWRTRACE_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/ledger/work.h"

struct view_options {
	const char *sort;            /* a name of columns (column.h) */
	const struct filter *filter; /* NULL: all rows pass */
	size_t top;                  /* at most so many rows; 0: all */
	struct work work;            /* amount 0: none was named */
	bool color;
	bool verbose; /* all that is known of how far to trust it */
};

struct view {
	const char *name;
	const char *help;
	void (*write)(FILE *out, const struct ledger *ledger, const struct view_options *options);
};

extern const struct view *const views[]; /* ended by NULL */
const struct view *view_find(const char *name);

extern const struct view view_text;
extern const struct view view_json;
extern const struct view view_csv;
extern const struct view view_folded;

/* Returns the rows to show (const struct ledger_row *), sorted, filtered and cut; the caller frees
 * the array. */
GPtrArray *view_rows(const struct ledger *ledger, const struct view_options *options);

/* The names that a row's name consists of, outermost first (const char *): of layers and call paths
 * several, of others one.  The caller frees the array. */
GPtrArray *view_path(const struct ledger *ledger, const struct ledger_row *row);

/* Whether each row has a node. */
bool view_is_tree(const struct ledger *ledger);

/* The same rows as a tree, each after the row that it is below and before what is below itself,
 * rows of one parent in the order of the column.  Rows above such as are shown are there too. */
struct view_line {
	const struct ledger_row *row;
	bool shown; /* itself, and not only for what is below it */
};
GArray *view_lines(const struct ledger *ledger, const struct view_options *options);

/* What is attributed to rows that are not shown: those that do not pass the filter, and others. */
struct view_left_out {
	uint64_t filtered_nj, cut_nj;
};
struct view_left_out view_left_out(const struct ledger *ledger, const struct view_options *options);

/* The sums of a row alone, and of a row with those below it. In those of a row alone, times count
 * as often as they overlap. */
struct ledger_sums view_own(const struct ledger_row *row);
struct ledger_sums view_sums(const struct ledger_row *row);

/* Where it ran at all, some execution has a time. */
bool view_time_known(const struct ledger_sums *sums);

/* Of the energy attributed, what part is theirs; negative where it is not known. */
double view_share(const struct ledger *ledger, const struct ledger_sums *sums);

/* The mean power in watts while they ran; negative where it is not known. */
double view_power(const struct ledger_sums *sums);

/* Half the 95 % interval of the energy in joules; negative where it is not known. */
double view_ci95(const struct ledger_sums *sums);

/* Joules with all nine decimals, exactly. */
#define VIEW_JOULES_MAX 32
const char *view_joules(char text[VIEW_JOULES_MAX], uint64_t energy_nj);

#endif
