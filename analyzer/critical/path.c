/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/path.h"

/* The execution that ended last. */
static guint last_node(const struct critical_graph *graph)
{
	guint last = MODEL_NONE;

	for (guint i = 0; i < graph->model->executions->len; i++)
		if (critical_node_at(graph, i)->kind == CRITICAL_EXECUTION &&
			(last == MODEL_NONE || critical_node_at(graph, i)->end_ns >=
						       critical_node_at(graph, last)->end_ns))
			last = i;
	return last;
}

/* How far the path is, and the pieces behind it. */
struct walk {
	const struct critical_graph *graph;
	struct critical_pieces pieces;
	uint64_t now_ns;
};

/* Goes back to a time, which times that contradict each other may put behind us.  Returns how far.
 */
static uint64_t back_to(struct walk *walk, uint64_t time_ns)
{
	uint64_t from_ns = walk->now_ns;

	walk->now_ns = MIN(from_ns, MAX(time_ns, walk->graph->span.begin_ns));
	return from_ns - walk->now_ns;
}

/* The execution that a node waited for, whatever events are between; MODEL_NONE: none. */
static guint waited_for(const struct critical_graph *graph, const struct critical_node *node)
{
	guint last = node->last;

	while (last != MODEL_NONE && critical_node_at(graph, last)->kind == CRITICAL_MARKER)
		last = critical_node_at(graph, last)->last;
	return last != MODEL_NONE && critical_node_at(graph, last)->kind == CRITICAL_EXECUTION
		       ? last
		       : MODEL_NONE;
}

static void walk_execution(struct walk *walk, struct critical_node *node)
{
	guint before = waited_for(walk->graph, node);
	bool other =
		before != MODEL_NONE && critical_node_at(walk->graph, before)->gpu != node->gpu;
	uint64_t *gap_ns = other ? &walk->pieces.peer_ns : &walk->pieces.launch_ns;

	node->critical_ns = back_to(walk, node->begin_ns);
	walk->pieces.device_ns += node->critical_ns;
	*gap_ns += back_to(walk, node->ready_ns);
}

struct critical_pieces critical_path(struct critical_graph *graph)
{
	struct walk walk = {.graph = graph, .now_ns = graph->span.end_ns};
	struct critical_node *node;

	for (guint i = last_node(graph); i != MODEL_NONE; i = node->last) {
		node = critical_node_at(graph, i);
		if (node->kind == CRITICAL_EXECUTION || node->kind == CRITICAL_ARRIVAL)
			walk_execution(&walk, node);
		else if (node->kind == CRITICAL_WAIT)
			walk.pieces.host_ns += back_to(&walk, node->ready_ns);
	}
	walk.pieces.host_ns += back_to(&walk, 0);
	return walk.pieces;
}
