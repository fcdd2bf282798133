/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/arcs.h"

#include "analyzer/critical/meetings.h"
#include "analyzer/model/id_map.h"
#include "analyzer/model/order.h"
#include "analyzer/numeric/bisect.h"

/* A stream of a process, as it fills. */
struct lane {
	const struct model_stream *stream; /* NULL: not defined */
	uint32_t process, id;
	/* Nodes that no later one in the stream had to wait for so far, and the last of the others;
	 * of a stream out of order, those that no wait awaited. */
	GArray *open;   /* guint */
	guint finished; /* MODEL_NONE: none */
};

/* A node by the time at which the host came to it. */
struct call {
	uint64_t time_ns;
	uint64_t name; /* name_of(): of one process, later ones have higher numbers */
	uint32_t node;
};

struct search {
	struct critical_graph *graph;
	struct id_map *lane_of; /* by process and stream: index + 1 */
	GArray *lanes;          /* struct lane */
	struct id_map *last_of; /* by process and thread: the last wait */
};

static void add_arc(struct search *search, guint from, guint to)
{
	const struct critical_arc arc = {from, meetings_arrival(search->graph, to)};

	mapped_array_append(search->graph->arcs, &arc);
}

static const struct critical_node *node_at(const struct search *search, guint i)
{
	return critical_node_at(search->graph, i);
}

/* ---- names ---- */

/* How many nodes have names; the others are of meetings. */
static guint named_nodes(const struct critical_graph *graph)
{
	return graph->model->executions->len + graph->model->order->waits->len;
}

/* What dependencies call a node. */
static uint64_t name_of(uint32_t process, uint32_t correlation)
{
	return (uint64_t)process << 32 | correlation;
}

/* The call of a node that is no execution. */
static const struct model_wait *wait_of(const struct critical_graph *graph, guint node)
{
	return mapped_array_at(graph->model->order->waits, node - graph->model->executions->len);
}

static uint64_t name_of_node(const struct critical_graph *graph, guint node)
{
	const struct model *model = graph->model;

	if (node < model->executions->len) {
		const struct model_call *call = mapped_array_at(model->order->calls, node);

		return name_of(model_origin_of(model, model_execution_at(model, node))->process,
			call->correlation);
	}
	return name_of(wait_of(graph, node)->process, wait_of(graph, node)->correlation);
}

/* ---- streams ---- */

static struct lane *lane_at(const struct search *search, guint i)
{
	return &g_array_index(search->lanes, struct lane, i);
}

static struct lane *lane_of(struct search *search, uint32_t process, uint32_t stream)
{
	const struct id_key key = {.process = process, .id = stream};
	uint32_t *known = id_map_at(search->lane_of, &key);

	if (!*known) {
		const struct table *streams = g_array_index(
			search->graph->model->processes, struct model_process, process)
						      .streams;
		const struct model_stream *defined = table_find(streams, stream);
		const struct lane lane = {.stream = defined && defined->defined ? defined : NULL,
			.process = process,
			.id = stream,
			.open = g_array_new(FALSE, FALSE, sizeof(guint)),
			.finished = MODEL_NONE};

		g_array_append_val(search->lanes, lane);
		*known = search->lanes->len;
	}
	return lane_at(search, *known - 1);
}

static bool is_ordered(const struct lane *lane)
{
	return !lane->stream || !lane->stream->out_of_order;
}

/* Whether a node of a stream had ended by a time; the end of a marker is not measured. */
static bool had_ended(const struct search *search, guint node, uint64_t time_ns)
{
	const struct critical_node *of = node_at(search, node);

	return of->kind == CRITICAL_MARKER || of->end_ns <= time_ns;
}

/* Nodes of one stream may overlap, as those of a graph do: such ones did not wait for each other.
 */
static void follow(struct search *search, struct lane *lane, guint node, uint64_t by_ns)
{
	guint kept = 0, before = search->graph->arcs->len;

	for (guint i = 0; i < lane->open->len; i++) {
		guint open = g_array_index(lane->open, guint, i);

		if (had_ended(search, open, by_ns)) {
			add_arc(search, open, node);
			lane->finished = open;
		} else {
			g_array_index(lane->open, guint, kept++) = open;
		}
	}
	g_array_set_size(lane->open, kept);
	if (search->graph->arcs->len == before && lane->finished != MODEL_NONE)
		add_arc(search, lane->finished, node);
}

static void await(struct search *search, struct lane *lane, guint node, uint64_t by_ns)
{
	for (guint i = 0; i < lane->open->len; i++) {
		guint open = g_array_index(lane->open, guint, i);

		if (had_ended(search, open, by_ns))
			add_arc(search, open, node);
	}
	if (!is_ordered(lane))
		g_array_set_size(lane->open, 0);
}

/* ---- calls ---- */

#define NO_WAIT UINT32_MAX

/* The last wait of a thread (a node); of an unknown thread, that of its process. */
static uint32_t *last_wait(struct search *search, uint32_t process, uint32_t tid)
{
	const struct id_key key = {.process = process, .id = tid};
	uint32_t *last = id_map_at(search->last_of, &key);

	if (!*last)
		*last = NO_WAIT;
	return last;
}

static void come_from_thread(struct search *search, guint node, uint32_t process, uint32_t tid)
{
	uint32_t last = *last_wait(search, process, tid);

	if (last != NO_WAIT && node_at(search, last)->end_ns <= node_at(search, node)->launched_ns)
		add_arc(search, last, node);
}

static void launch(struct search *search, guint i)
{
	const struct model *model = search->graph->model;
	const struct model_origin *origin = model_origin_of(model, model_execution_at(model, i));
	const struct model_call *call = mapped_array_at(model->order->calls, i);
	struct lane *lane = lane_of(search, origin->process, origin->stream);

	come_from_thread(search, i, origin->process, call->tid);
	if (is_ordered(lane))
		follow(search, lane, i, node_at(search, i)->begin_ns);
	g_array_append_val(lane->open, i);
}

/* Whether a stream is in the scope that a wait names by another stream of its process. */
static bool is_awaited(const struct lane *lane, const struct lane *named, enum model_awaits awaits)
{
	if (awaits == MODEL_AWAITS_STREAM || !lane->stream || !named->stream)
		return lane->id == named->id;
	return awaits == MODEL_AWAITS_CONTEXT ? lane->stream->context == named->stream->context
					      : lane->stream->device == named->stream->device;
}

static void wait(struct search *search, const struct model_wait *wait, guint node)
{
	uint64_t by_ns = node_at(search, node)->end_ns;
	const struct lane named = *lane_of(search, wait->process, wait->stream);

	come_from_thread(search, node, wait->process, wait->tid);
	for (guint i = 0; wait->awaits != MODEL_AWAITS_EVENTS && i < search->lanes->len; i++)
		if (lane_at(search, i)->process == wait->process &&
			is_awaited(lane_at(search, i), &named, wait->awaits))
			await(search, lane_at(search, i), node, by_ns);
	*last_wait(search, wait->process, wait->tid) = node;
	*last_wait(search, wait->process, PWRTRACE_UNKNOWN_U32) = node;
}

static void mark(struct search *search, const struct model_wait *wait, guint node)
{
	struct lane *lane = lane_of(search, wait->process, wait->stream);

	come_from_thread(search, node, wait->process, wait->tid);
	if (is_ordered(lane))
		follow(search, lane, node, UINT64_MAX);
	else
		await(search, lane, node, UINT64_MAX);
	g_array_append_val(lane->open, node);
}

static int by_call(gconstpointer a, gconstpointer b)
{
	const struct call *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* All nodes in the order in which the host came to them. */
static struct mapped_array *calls_of(const struct critical_graph *graph)
{
	struct mapped_array *calls = mapped_array_new_unfailing(sizeof(struct call));

	for (guint i = 0; i < named_nodes(graph); i++) {
		const struct critical_node *node = critical_node_at(graph, i);
		const struct call call = {node->launched_ns ? node->launched_ns : node->begin_ns,
			name_of_node(graph, i), i};

		if (node->kind != CRITICAL_NOTHING)
			mapped_array_append(calls, &call);
	}
	mapped_array_sort(calls, by_call);
	return calls;
}

static void find_order(struct search *search)
{
	struct mapped_array *calls = calls_of(search->graph);

	for (guint i = 0; i < calls->len; i++) {
		guint node = ((const struct call *)mapped_array_at(calls, i))->node;
		enum critical_kind kind = node_at(search, node)->kind;

		if (kind == CRITICAL_EXECUTION)
			launch(search, node);
		else if (kind == CRITICAL_WAIT)
			wait(search, wait_of(search->graph, node), node);
		else
			mark(search, wait_of(search->graph, node), node);
	}
	mapped_array_free(calls);
}

/* ---- dependencies ---- */

/* A node by name. */
struct named {
	uint64_t name;
	uint32_t node;
};

static int by_name(gconstpointer a, gconstpointer b)
{
	const struct named *x = a, *y = b;

	return x->name < y->name ? -1 : x->name > y->name;
}

static struct mapped_array *names_of(const struct critical_graph *graph)
{
	struct mapped_array *all = mapped_array_new_unfailing(sizeof(struct named));

	for (guint i = 0; i < named_nodes(graph); i++) {
		const struct named named = {name_of_node(graph, i), i};

		if (critical_node_at(graph, i)->kind != CRITICAL_NOTHING)
			mapped_array_append(all, &named);
	}
	mapped_array_sort(all, by_name);
	return all;
}

static const struct named *named_at(struct mapped_array *all, guint i)
{
	return mapped_array_at(all, i);
}

static guint first_named(struct mapped_array *all, uint64_t name)
{
	return BISECT(i, 0, all->len, named_at(all, i)->name >= name);
}

/* Of nodes of one name, as those of a graph, the one that ended last; MODEL_NONE: none. */
static guint last_named(const struct search *search, struct mapped_array *all, uint64_t name)
{
	guint last = MODEL_NONE;

	for (guint i = first_named(all, name); i < all->len && named_at(all, i)->name == name; i++)
		if (last == MODEL_NONE || node_at(search, named_at(all, i)->node)->end_ns >
						  node_at(search, last)->end_ns)
			last = named_at(all, i)->node;
	return last;
}

static void find_dependencies(struct search *search)
{
	struct mapped_array *dependencies = search->graph->model->order->dependencies, *all;

	if (!dependencies->len)
		return;
	all = names_of(search->graph);
	for (guint i = 0; i < dependencies->len; i++) {
		const struct model_dependency *dependency = mapped_array_at(dependencies, i);
		uint64_t name = name_of(dependency->process, dependency->correlation);
		guint after = dependency->after
				      ? last_named(search, all,
						name_of(dependency->process, dependency->after))
				      : MODEL_NONE;

		for (guint k = first_named(all, name);
			after != MODEL_NONE && k < all->len && named_at(all, k)->name == name; k++)
			add_arc(search, after, named_at(all, k)->node);
	}
	mapped_array_free(all);
}

void critical_arcs_find(struct critical_graph *graph)
{
	struct search search = {.graph = graph,
		.lane_of = id_map_new(),
		.lanes = g_array_new(FALSE, FALSE, sizeof(struct lane)),
		.last_of = id_map_new()};

	find_order(&search);
	find_dependencies(&search);
	for (guint i = 0; i < search.lanes->len; i++)
		g_array_free(lane_at(&search, i)->open, TRUE);
	g_array_free(search.lanes, TRUE);
	id_map_free(search.lane_of);
	id_map_free(search.last_of);
}
