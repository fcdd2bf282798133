/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/meetings.h"

#include "analyzer/model/collective.h"

static const struct model_collective *collective_at(const struct model *model, guint i)
{
	return &g_array_index(model->collectives->list, struct model_collective, i);
}

guint meetings_arrival(const struct critical_graph *graph, guint node)
{
	gpointer arrival = g_hash_table_lookup(graph->arrivals, GUINT_TO_POINTER(node + 1));

	return arrival ? GPOINTER_TO_UINT(arrival) - 1 : node;
}

/* The node of a meeting (its number). */
static guint meeting_node(const struct critical_graph *graph, uint32_t meeting)
{
	return graph->first_meeting + meeting - 1;
}

/* Collectives of a group have one execution, which meets the ranks of each of them. */
static void arrive(struct critical_graph *graph, const struct model_collective *one)
{
	struct critical_node *node = critical_node_at(graph, one->execution), arrival = *node;

	if (node->kind != CRITICAL_EXECUTION)
		return;
	if (meetings_arrival(graph, one->execution) == one->execution) {
		arrival.kind = CRITICAL_ARRIVAL;
		arrival.end_ns = arrival.begin_ns;
		g_hash_table_insert(graph->arrivals, GUINT_TO_POINTER(one->execution + 1),
			GUINT_TO_POINTER(graph->nodes->len + 1));
		mapped_array_append(graph->nodes, &arrival);
		node = critical_node_at(graph, one->execution);
	}
	node->begin_ns =
		MIN(MAX(node->begin_ns, critical_time_ns(graph, one->met_ns)), node->end_ns);
}

void meetings_add_nodes(struct critical_graph *graph)
{
	const struct model *model = graph->model;
	uint32_t meetings = 0;

	for (guint i = 0; i < model->collectives->list->len; i++) {
		const struct model_collective *one = collective_at(model, i);

		if (one->meeting)
			arrive(graph, one);
		meetings = MAX(meetings, one->meeting);
	}
	graph->first_meeting = graph->nodes->len;
	for (uint32_t i = 0; i < meetings; i++)
		mapped_array_append(graph->nodes,
			&(struct critical_node){.last = MODEL_NONE, .kind = CRITICAL_MARKER});
}

/* Whether a collective has a meeting, and its execution an arrival there. */
static bool is_met(const struct critical_graph *graph, const struct model_collective *one)
{
	return one->meeting && meetings_arrival(graph, one->execution) != one->execution;
}

void meetings_add_arcs(struct critical_graph *graph)
{
	const struct model *model = graph->model;

	for (guint i = 0; i < model->collectives->list->len; i++) {
		const struct model_collective *one = collective_at(model, i);
		struct critical_arc arc = {.from = meetings_arrival(graph, one->execution)};

		if (!is_met(graph, one))
			continue;
		arc.to = meeting_node(graph, one->meeting);
		mapped_array_append(graph->arcs, &arc);
		arc = (struct critical_arc){arc.to, one->execution};
		mapped_array_append(graph->arcs, &arc);
	}
}

void meetings_share_slack(struct critical_graph *graph)
{
	const struct model *model = graph->model;

	for (guint i = 0; i < model->collectives->list->len; i++) {
		const struct model_collective *one = collective_at(model, i);
		const struct critical_node *meeting;
		struct critical_node *node;

		if (!is_met(graph, one))
			continue;
		meeting = critical_node_at(graph, meeting_node(graph, one->meeting));
		node = critical_node_at(graph, one->execution);
		if (meeting->latest_end_ns - meeting->end_ns < node->latest_end_ns - node->end_ns)
			node->latest_end_ns =
				node->end_ns + (meeting->latest_end_ns - meeting->end_ns);
	}
}
