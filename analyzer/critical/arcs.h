/* SPDX-License-Identifier: MIT */
/* Finds the arcs of a graph (graph.h). */
#ifndef PWRTRACE_CRITICAL_ARCS_H
#define PWRTRACE_CRITICAL_ARCS_H

#include "analyzer/critical/graph.h"

/* Appends them to graph->arcs, in any order.  The nodes have their kinds and measured times. */
void critical_arcs_find(struct critical_graph *graph);

#endif
