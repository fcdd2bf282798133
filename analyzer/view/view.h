/* SPDX-License-Identifier: MIT */
/* Report formats: one file each and one row in view.c. */
#ifndef PWRTRACE_VIEW_H
#define PWRTRACE_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/attr/ledger.h"

struct view_options {
	const char *sort;   /* a name of view_sorts */
	const char *filter; /* "" or KEY=VALUE and KEY~TEXT items, separated by commas */
	size_t top;         /* at most so many rows; 0: all */
	bool color;
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

/* Names of the columns that rows can be sorted by, ended by NULL. */
extern const char *const view_sorts[];

/* Returns false, with one line in why, where the filter says nothing we know. */
bool view_filter_valid(const char *filter, char *why, size_t size);

/* Returns the rows to show (const struct ledger_row *), sorted, filtered and cut; the caller frees
 * the array. */
GPtrArray *view_rows(const struct ledger *ledger, const struct view_options *options);

/* Of the energy attributed, what part is the row's; negative where it is not known. */
double view_share(const struct ledger *ledger, const struct ledger_row *row);

/* The mean power of a row in watts; negative where it is not known. */
double view_power(const struct ledger_row *row);

/* Half the 95 % interval of a row's energy in joules; negative where it is not known. */
double view_ci95(const struct ledger_row *row);

/* Joules with all nine decimals, exactly. */
#define VIEW_JOULES_MAX 32
const char *view_joules(char text[VIEW_JOULES_MAX], uint64_t energy_nj);

#endif
