/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/graph.h"

#include <string.h>

#include "analyzer/critical/arcs.h"
#include "analyzer/critical/meetings.h"
#include "analyzer/model/order.h"
#include "analyzer/model/origin_name.h"
#include "analyzer/model/replays.h"
#include "analyzer/print/message.h"

/* ---- nodes ---- */

static void add_execution(struct critical_graph *graph, guint i)
{
	const struct model_execution *execution = model_execution_at(graph->model, i);
	struct critical_node node = {.begin_ns = critical_time_ns(graph, execution->begin_ns),
		.end_ns = critical_time_ns(graph, execution->end_ns),
		.last = MODEL_NONE,
		.gpu = model_gpu_of(graph->model, execution)};

	if (model_is_timed(execution) &&
		model_origin_of(graph->model, execution)->replayed == MODEL_OF_PROGRAM)
		node.kind = CRITICAL_EXECUTION;
	if (execution->launched_ns != PWRTRACE_UNKNOWN_U64)
		node.launched_ns =
			MIN(critical_time_ns(graph, execution->launched_ns), node.begin_ns);
	if (node.kind == CRITICAL_EXECUTION) {
		graph->span.begin_ns = MIN(
			graph->span.begin_ns, node.launched_ns ? node.launched_ns : node.begin_ns);
		graph->span.end_ns = MAX(graph->span.end_ns, node.end_ns);
	}
	mapped_array_append(graph->nodes, &node);
}

static void add_wait(struct critical_graph *graph, const struct model_wait *wait)
{
	bool waits = wait->awaits != MODEL_AWAITS_NOTHING;
	uint64_t begin_ns = critical_time_ns(graph, wait->begin_ns);
	const struct critical_node node = {.begin_ns = begin_ns,
		.end_ns = waits ? critical_time_ns(graph, wait->begin_ns + wait->length_ns)
				: begin_ns,
		.launched_ns = begin_ns,
		.last = MODEL_NONE,
		.kind = waits ? CRITICAL_WAIT : CRITICAL_MARKER};

	mapped_array_append(graph->nodes, &node);
}

/* Returns false after an error message. */
static bool check_clocks(const struct model *model)
{
	const char *first = NULL;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_origin *origin =
			model_origin_of(model, model_execution_at(model, i));
		const char *machine = model_process_of(model, origin)->machine;

		if (first && machine != first && strcmp(machine, first) != 0) {
			message_error("the traces are of several machines, whose clocks agree to "
				      "milliseconds only, and a path needs microseconds; give "
				      "those of one");
			return false;
		}
		first = machine;
	}
	return true;
}

/* Returns false after an error message. */
static bool find_nodes(struct critical_graph *graph)
{
	const struct model *model = graph->model;

	graph->span = (struct model_span){UINT64_MAX, 0};
	for (guint i = 0; i < model->executions->len; i++)
		add_execution(graph, i);
	for (guint i = 0; i < model->order->waits->len; i++)
		add_wait(graph, mapped_array_at(model->order->waits, i));
	meetings_add_nodes(graph);
	if (graph->span.end_ns)
		return check_clocks(model);
	message_error("no execution in the trace has a time: there is no path");
	return false;
}

/* ---- order ---- */

static int by_from(gconstpointer a, gconstpointer b)
{
	const struct critical_arc *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void index_arcs(struct critical_graph *graph)
{
	guint arc = 0;

	mapped_array_sort(graph->arcs, by_from);
	graph->first_arc = g_new(guint, graph->nodes->len + 1);
	for (guint i = 0; i < graph->nodes->len; i++) {
		graph->first_arc[i] = arc;
		while (arc < graph->arcs->len && critical_arc_at(graph, arc)->from == i)
			arc++;
	}
	graph->first_arc[graph->nodes->len] = arc;
}

/* A node is ready when all that it waited for is.  What had to wait for nothing was ready when it
 * was launched, or, where that is not known, when it began. */
static void settle(struct critical_node *node)
{
	if (!node->ready_ns)
		node->ready_ns = node->begin_ns;
	if (node->kind == CRITICAL_MARKER)
		node->begin_ns = node->end_ns = node->ready_ns;
	node->ready_ns =
		MIN(node->ready_ns, node->kind == CRITICAL_WAIT ? node->end_ns : node->begin_ns);
}

static void release(const struct critical_graph *graph, guint from, struct critical_node *to)
{
	uint64_t time_ns = critical_release_ns(critical_node_at(graph, from), to);

	if (time_ns > to->ready_ns || (time_ns == to->ready_ns && to->last == MODEL_NONE)) {
		to->ready_ns = time_ns;
		to->last = from;
	}
}

/* Names an execution of the circle, or one that has to wait for those. */
static void refuse_circle(const struct critical_graph *graph, const guint *missing)
{
	const struct model *model = graph->model;
	guint i = 0;
	char *name;

	while (i + 1 < model->executions->len && !missing[i])
		i++;
	name = origin_name_short(model, model_origin_of(model, model_execution_at(model, i)));
	message_error("the dependencies of the trace form a circle, for which %s would have to "
		      "wait",
		missing[i] ? name : "an event");
	g_free(name);
}

/* Returns false after an error message. */
static bool find_order(struct critical_graph *graph)
{
	guint count = graph->nodes->len, placed = 0;
	guint *missing = g_new0(guint, count + 1); /* by node: what it waits for and has no place */

	graph->order = g_new(guint, count + 1);
	for (guint i = 0; i < graph->arcs->len; i++)
		missing[critical_arc_at(graph, i)->to]++;
	for (guint i = 0; i < count; i++) {
		struct critical_node *node = critical_node_at(graph, i);

		node->ready_ns = node->launched_ns;
		if (!missing[i])
			graph->order[placed++] = i;
	}
	for (guint i = 0; i < placed; i++) {
		guint from = graph->order[i];

		settle(critical_node_at(graph, from));
		for (guint arc = graph->first_arc[from]; arc < graph->first_arc[from + 1]; arc++) {
			guint to = critical_arc_at(graph, arc)->to;

			release(graph, from, critical_node_at(graph, to));
			if (!--missing[to])
				graph->order[placed++] = to;
		}
	}
	if (placed < count)
		refuse_circle(graph, missing);
	g_free(missing);
	return placed == count;
}

/* ---- slack ---- */

/* The latest end of a node by what it holds up: each keeps the time that it took from being ready
 * to its end, and what the host did between a wait and a launch. */
static uint64_t latest_end(const struct critical_graph *graph, guint i)
{
	const struct critical_node *node = critical_node_at(graph, i);
	uint64_t latest_ns = node->kind == CRITICAL_EXECUTION ? graph->span.end_ns : UINT64_MAX;

	for (guint arc = graph->first_arc[i]; arc < graph->first_arc[i + 1]; arc++) {
		const struct critical_node *to =
			critical_node_at(graph, critical_arc_at(graph, arc)->to);
		uint64_t early_ns, held_ns = critical_release_ns(node, to);

		if (to->latest_end_ns == UINT64_MAX)
			continue;
		early_ns = to->ready_ns > held_ns ? to->ready_ns - held_ns : 0;
		latest_ns =
			MIN(latest_ns, node->end_ns + early_ns + (to->latest_end_ns - to->end_ns));
	}
	return MAX(latest_ns, node->end_ns);
}

struct critical_graph *critical_graph_of(const struct model *model)
{
	struct critical_graph *graph = g_new0(struct critical_graph, 1);

	graph->model = model;
	graph->replays = replays_spans(model, NULL);
	graph->arrivals = g_hash_table_new(NULL, NULL);
	graph->nodes = mapped_array_new_unfailing(sizeof(struct critical_node));
	graph->arcs = mapped_array_new_unfailing(sizeof(struct critical_arc));
	if (!find_nodes(graph)) {
		critical_graph_free(graph);
		return NULL;
	}
	critical_arcs_find(graph);
	meetings_add_arcs(graph);
	index_arcs(graph);
	if (!find_order(graph)) {
		critical_graph_free(graph);
		return NULL;
	}
	for (guint i = graph->nodes->len; i > 0; i--)
		critical_node_at(graph, graph->order[i - 1])->latest_end_ns =
			latest_end(graph, graph->order[i - 1]);
	meetings_share_slack(graph);
	return graph;
}

void critical_graph_free(struct critical_graph *graph)
{
	if (!graph)
		return;
	g_array_free(graph->replays, TRUE);
	g_hash_table_destroy(graph->arrivals);
	mapped_array_free(graph->nodes);
	mapped_array_free(graph->arcs);
	g_free(graph->first_arc);
	g_free(graph->order);
	g_free(graph);
}
