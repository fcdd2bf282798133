/* SPDX-License-Identifier: MIT */
/*
 * What had to wait for what, as a graph: of executions, of calls that waited, of events and
 * barriers in streams, and of the meetings of ranks in collectives (meetings.h).  An arc says that
 * its end could not begin before its beginning had ended:
 *
 *	in a stream that runs in order    what was launched before
 *	a dependency                      what it names
 *	an execution, event or barrier    the last wait of the thread that launched it
 *	a wait                            what it awaited, and the last wait of its thread;
 *	                                  calls that launched may be waits, too (load/order.c)
 *
 * Times are on one machine, in nanoseconds, and those of replays are left out: a node is as much
 * earlier as replays had held the program up until then.
 */
#ifndef PWRTRACE_CRITICAL_GRAPH_H
#define PWRTRACE_CRITICAL_GRAPH_H

#include "analyzer/model/model.h"
#include "analyzer/model/spans.h"

enum critical_kind {
	CRITICAL_NOTHING, /* an execution without times, or of a replay: it has no arcs */
	CRITICAL_EXECUTION,
	CRITICAL_ARRIVAL, /* that an execution of a collective began */
	CRITICAL_WAIT,    /* a call that waited */
	CRITICAL_MARKER   /* an event or a barrier in a stream; or a meeting */
};

struct critical_node {
	uint64_t begin_ns, end_ns; /* of a marker: when all before it had ended */
	uint64_t launched_ns;      /* by the host; 0: not known */
	/* When all that it had to wait for had ended, and what ended last; what followed until it
	 * began (a wait: until it returned) is taken to be its own. */
	uint64_t ready_ns;
	uint32_t last;          /* a node; MODEL_NONE: the host, as far as is known */
	uint32_t kind;          /* enum critical_kind */
	uint32_t gpu;           /* of an execution or an arrival, as in struct model_origin */
	uint64_t latest_end_ns; /* with which the last execution ends no later; UINT64_MAX: any */
	uint64_t critical_ns;   /* how much of it is on the critical path */
};

struct critical_arc {
	uint32_t from, to; /* nodes */
};

struct critical_graph {
	const struct model *model;
	/* struct critical_node: executions, then model->order->waits, then those of meetings.h */
	struct mapped_array *nodes;
	GArray *replays;           /* struct model_span: when they held the program up */
	GHashTable *arrivals;      /* by execution + 1: the node of its arrival + 1 */
	guint first_meeting;       /* a node */
	struct mapped_array *arcs; /* struct critical_arc, by from */
	guint *first_arc;          /* by node, and the number of arcs */
	guint *order;              /* nodes, each after those that it had to wait for */
	struct model_span span;    /* from the first launch to the last end */
};

/* The graph of a model that was loaded with its order (load_options), with everything but
 * critical_ns.  Returns NULL after an error message where no execution has times, where the clocks
 * cannot be compared, or where dependencies form a circle.  The model must outlive the graph, which
 * the caller frees with critical_graph_free. */
struct critical_graph *critical_graph_of(const struct model *model);
void critical_graph_free(struct critical_graph *graph);

/* A time of the model, as one of nodes. */
static inline uint64_t critical_time_ns(const struct critical_graph *graph, uint64_t time_ns)
{
	return time_ns - spans_within(graph->replays, 0, time_ns);
}

static inline struct critical_node *critical_node_at(const struct critical_graph *graph, guint i)
{
	return mapped_array_at(graph->nodes, i);
}

static inline const struct critical_arc *critical_arc_at(
	const struct critical_graph *graph, guint i)
{
	return mapped_array_at(graph->arcs, i);
}

/* What followed between a node's being ready and its begin, or the return of a wait. */
static inline uint64_t critical_delay_ns(const struct critical_node *node)
{
	return (node->kind == CRITICAL_WAIT ? node->end_ns : node->begin_ns) - node->ready_ns;
}

/* The time by which a node holds up one that it has an arc to: its end; of a wait, when the host
 * then launched the other. */
static inline uint64_t critical_release_ns(
	const struct critical_node *from, const struct critical_node *to)
{
	return from->kind == CRITICAL_WAIT ? MAX(from->end_ns, to->launched_ns) : from->end_ns;
}

#endif
