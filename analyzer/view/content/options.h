/* SPDX-License-Identifier: MIT */
/* What a user asks of a report, whatever its format. */
#ifndef PWRTRACE_VIEW_OPTIONS_H
#define PWRTRACE_VIEW_OPTIONS_H

#include <stdbool.h>

#include "analyzer/ledger/work.h"
#include "analyzer/name/operations.h"

struct view_options {
	const char *sort;                    /* the name of a column (column.h) */
	const struct filter *filter;         /* NULL: all rows pass */
	size_t top;                          /* at most so many rows; 0: all, but see wide */
	struct work work;                    /* amount 0: none was named */
	const struct operations *operations; /* NULL: not known */
	/* The most that the device can do, per second; 0: not known. */
	double peak_operations, peak_bytes;
	bool color;
	bool wide;    /* all rows and columns, on a terminal too */
	bool verbose; /* all that is known of how far to trust it */
};

#endif
