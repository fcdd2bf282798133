/* SPDX-License-Identifier: MIT */
/*
 * Collectives in a graph (graph.h): they tie ranks, which may be other processes.  No rank moves
 * data before the last one has begun.  So each execution of a collective is in two parts: its
 * arrival, which waited for what any execution waits for, and the rest, from when all ranks had
 * arrived.
 */
#ifndef PWRTRACE_CRITICAL_MEETINGS_H
#define PWRTRACE_CRITICAL_MEETINGS_H

#include "analyzer/critical/graph.h"

/* Adds the nodes of arrivals and meetings behind all others, and shortens the executions to the
 * rest.
 */
void meetings_add_nodes(struct critical_graph *graph);

/* Adds the arcs between them. */
void meetings_add_arcs(struct critical_graph *graph);

/* All ranks of a meeting end together, so each could end no later than the first that must not.
 * Lowers latest_end_ns of executions, when all are set. */
void meetings_share_slack(struct critical_graph *graph);

/* The node of a graph that arcs to an execution, or another node, lead to: its arrival, or itself.
 */
guint meetings_arrival(const struct critical_graph *graph, guint node);

#endif
