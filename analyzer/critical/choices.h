/* SPDX-License-Identifier: MIT */
/* What each execution could take and draw instead, by the tradeoff of its kernel. */
#ifndef PWRTRACE_CRITICAL_CHOICES_H
#define PWRTRACE_CRITICAL_CHOICES_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/critical/graph.h"
#include "analyzer/critical/tradeoffs.h"

#define CHOICES_MAX 16 /* points of a tradeoff */

/* Durations from the shortest on, each at a lower cost per added second saved than the one before:
 * the lower convex hull, up to its least cost. */
struct choices {
	guint count; /* at least 1 */
	double time_s[CHOICES_MAX];
	double cost_j[CHOICES_MAX]; /* as in bloat.h */
};

struct choice_table;

/* Returns NULL after an error message: where a kernel has no tradeoff, or one of too many points;
 * or where an energy or an idle power is not known.  The arguments must outlive the table, which
 * the caller frees with choice_table_free. */
struct choice_table *choice_table_new(const struct critical_graph *graph,
	const struct attribution *attribution, const struct tradeoffs *tradeoffs);
void choice_table_free(struct choice_table *table);

/* The choices of an execution that is a node; *now_j is what it costs now. */
struct choices choices_of(const struct choice_table *table, guint execution, double *now_j);

#endif
