/* SPDX-License-Identifier: MIT */
/*
 * Energy bloat (Jae-Won Chung et al., "Reducing Energy Bloat in Large Model Training", SOSP 2024):
 * what executions draw beyond the least with which the whole would end as early.
 */
#ifndef PWRTRACE_CRITICAL_BLOAT_H
#define PWRTRACE_CRITICAL_BLOAT_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/critical/graph.h"
#include "analyzer/critical/tradeoffs.h"

/*
 * Sets *bloat_j: of all executions the sum of e - i t, minus its least within the same span, where
 * e is an execution's energy, t its duration, and i t the part of e that its device would draw
 * idle, in any case (idle_energy.h): i is the idle power where it runs alone, and less where
 * executions that run at once share it.
 *
 * A tradeoff is taken in proportion: the point whose time is next to the mean of the kernel's
 * executions is what they do now, and others make each as much longer and more or less costly.
 * Between two points any time can be had by a mix of both.  Found by a linear program (GLPK).
 *
 * Returns false after an error message: where a tradeoff is missing, an energy or an idle power is
 * not known, or there are too many executions.
 */
bool bloat_find(const struct critical_graph *graph, const struct attribution *attribution,
	const struct tradeoffs *tradeoffs, double *bloat_j);

#endif
