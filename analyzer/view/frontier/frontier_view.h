/* SPDX-License-Identifier: MIT */
/* What pwrtrace frontier prints. */
#ifndef PWRTRACE_FRONTIER_VIEW_H
#define PWRTRACE_FRONTIER_VIEW_H

#include <stdio.h>

#include "analyzer/frontier/frontier.h"
#include "analyzer/ledger/ledger.h"

struct frontier_view {
	const GArray *points; /* marked, and one of each group chosen where that was possible */
	const struct frontier_goal *goal;
	const char *per;          /* what time and energy are of; NULL: of points in a file */
	const GPtrArray *ledgers; /* const struct ledger *, of each trace; empty: none */
};

/* Write a result (struct frontier_view). */
void frontier_put_text(FILE *out, const void *result);
void frontier_put_json(FILE *out, const void *result);
void frontier_put_csv(FILE *out, const void *result);

#endif
