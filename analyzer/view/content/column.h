/* SPDX-License-Identifier: MIT */
/*
 * What can be said of a row, by name: for --sort and --filter.  Of layers, energy and all that goes
 * with it is that with the layers inside.
 */
#ifndef PWRTRACE_COLUMN_H
#define PWRTRACE_COLUMN_H

#include "analyzer/ledger/ledger.h"

/* A row, and the sums that are shown of it. */
struct column_row {
	const struct ledger *ledger;
	const struct ledger_row *row;
	struct ledger_sums sums;
};

struct column {
	const char *name;
	const char *unit; /* of numbers: an SI unit without a prefix, or "" */
	/* Either of them. */
	double (*number)(const struct column_row *of); /* NaN: not known */
	const char *(*text)(const struct column_row *of);
	bool ascending; /* how it is sorted */
};

extern const struct column columns[]; /* ended by a NULL name */

/* NULL where there is none.  What rows can be made of, except device, is another name of "name". */
const struct column *column_find(const char *name, size_t length);

struct column_row column_row(const struct ledger *ledger, const struct ledger_row *row);

#endif
