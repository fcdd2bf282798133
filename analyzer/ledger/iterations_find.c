/* SPDX-License-Identifier: MIT */
/* Finds where iterations begin and end, by marks or by layers. */
#include "analyzer/ledger/iterations.h"

#include <string.h>

#include "analyzer/model/timeline.h"
#include "analyzer/numeric/bisect.h"

#define TIMES_MIN 2 /* a mark or layer must occur so often to make iterations */

/* ---- by marks ---- */

/* A mark, or the opening of a layer, at which an iteration ends or begins. */
struct boundary {
	uint32_t process, thread;
	uint64_t time_ns;
	double value;
	bool of_many; /* a mark of one of many things, as of a request, that end an iteration
		       * together */
};

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct boundary *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Whether a mark is preferred to another: those with amounts first, then more frequent ones. */
static bool is_better(const struct model_mark *mark, const struct model_mark *other)
{
	bool counts = mark->sum > 0, other_counts = other->sum > 0;

	return counts != other_counts ? counts : mark->count > other->count;
}

static int find_mark(const struct model *model, const char *name)
{
	const struct model_mark *marks = (const void *)model->marks->data;
	int found = -1;

	for (guint i = 0; i < model->marks->len; i++)
		if (marks[i].count >= TIMES_MIN && (!name || strcmp(marks[i].name, name) == 0) &&
			(found < 0 || is_better(&marks[i], &marks[found])))
			found = (int)i;
	return found;
}

/* The time of each process's first launch; UINT64_MAX where it has none.  The caller frees it. */
static uint64_t *first_launches(const struct model *model)
{
	uint64_t *first_ns = g_new(uint64_t, model->processes->len + 1);

	for (guint i = 0; i < model->processes->len; i++)
		first_ns[i] = UINT64_MAX;
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t process = model_origin_of(model, execution)->process;

		first_ns[process] = MIN(first_ns[process], model_launched_ns(execution));
	}
	return first_ns;
}

/* The iterations that end at these boundaries. */
static void set_ends(struct iterations *iterations, const GArray *boundaries)
{
	const struct model *model = iterations->ledger->model;
	uint64_t *begin_ns = first_launches(model);

	for (guint i = 0; i < boundaries->len; i++) {
		const struct boundary *boundary = &g_array_index(boundaries, struct boundary, i);
		uint64_t *begin = &begin_ns[boundary->process];
		struct iteration iteration = {.begin_ns = MIN(*begin, boundary->time_ns),
			.end_ns = boundary->time_ns,
			.amount = boundary->value};

		*begin = boundary->time_ns;
		g_array_append_val(iterations->list, iteration);
		iterations->first[boundary->process + 1] = iterations->list->len;
	}
	g_free(begin_ns);
}

static GArray *boundaries_of_mark(const struct model *model, guint mark)
{
	GArray *boundaries = g_array_new(FALSE, FALSE, sizeof(struct boundary));

	for (guint i = 0; i < model->mark_times->len; i++) {
		const struct model_mark_time *time =
			&g_array_index(model->mark_times, struct model_mark_time, i);
		struct boundary boundary = {
			time->process, 0, time->time_ns, time->value, *time->of != 0};

		if (time->mark == mark)
			g_array_append_val(boundaries, boundary);
	}
	return boundaries;
}

static const struct boundary *boundary_at(const GArray *boundaries, guint i)
{
	return &g_array_index(boundaries, struct boundary, i);
}

/* For each boundary, whether the program launched something between the one before and it.  The
 * caller frees it. */
static bool *launched_before(const struct model *model, const GArray *boundaries)
{
	bool *launched = g_new0(bool, boundaries->len + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct model_origin *origin = model_origin_of(model, execution);
		const struct boundary launch = {
			.process = origin->process, .time_ns = model_launched_ns(execution)};

		if (origin->replayed == MODEL_OF_PROGRAM)
			launched[BISECT(k, 0, boundaries->len,
				by_time(boundary_at(boundaries, k), &launch) > 0)] = true;
	}
	return launched;
}

/* Makes one boundary of marks of several things, between which nothing was launched: a step of a
 * server, say, that processed tokens of several requests. */
static void join_boundaries(const struct model *model, GArray *boundaries)
{
	bool *launched = launched_before(model, boundaries);
	guint count = 0;

	for (guint i = 0; i < boundaries->len; i++) {
		struct boundary boundary = *boundary_at(boundaries, i);
		struct boundary *last =
			count ? &g_array_index(boundaries, struct boundary, count - 1) : NULL;

		if (last && last->process == boundary.process && last->of_many &&
			boundary.of_many && !launched[i]) {
			last->time_ns = boundary.time_ns;
			last->value += boundary.value;
		} else {
			g_array_index(boundaries, struct boundary, count++) = boundary;
		}
	}
	g_array_set_size(boundaries, count);
	g_free(launched);
}

/* ---- by layers ---- */

static bool is_called(const struct layer_tree *tree, uint32_t node, const char *name)
{
	char *path = layer_tree_path(tree, node);
	bool is = strcmp(path, name) == 0 || strcmp(layer_tree_name(tree, node), name) == 0;

	g_free(path);
	return is;
}

static guint depth_of(const struct layer_tree *tree, uint32_t node)
{
	guint depth = 0;

	for (; node != LAYER_TREE_ROOT; node = layer_tree_parent(tree, node))
		depth++;
	return depth;
}

/* For each switch of the timeline the node of the layer tree that it opens; LAYER_TREE_ROOT: none.
 * The caller frees it. */
static uint32_t *nodes_of(const struct ledger *ledger)
{
	struct mapped_array *switches = ledger->timeline->switches;
	uint32_t *nodes = g_new0(uint32_t, switches->len + 1);
	GHashTable *known = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < switches->len; i++) {
		const struct timeline_switch *change = mapped_array_at(switches, i);
		gpointer key = GSIZE_TO_POINTER((gsize)change->process << 32 | change->layer);
		guint node = LAYER_TREE_ROOT;

		if (change->opens)
			node = GPOINTER_TO_UINT(g_hash_table_lookup(known, key));
		if (change->opens && !node) {
			node = layer_tree_node(ledger->layers,
				&g_array_index(ledger->model->processes, struct model_process,
					change->process),
				change->layer);
			g_hash_table_insert(known, key, GUINT_TO_POINTER(node));
		}
		nodes[i] = node;
	}
	g_hash_table_destroy(known);
	return nodes;
}

/* The node whose layer makes iterations: among those that were opened often enough, and have the
 * name where one is given, the outermost, and of several the most frequent; LAYER_TREE_ROOT: none.
 */
static uint32_t find_layer(const struct ledger *ledger, const uint32_t *nodes, const char *name)
{
	const struct layer_tree *tree = ledger->layers;
	guint count = ledger->timeline->switches->len, last = 0, least = G_MAXUINT;
	uint32_t found = LAYER_TREE_ROOT;
	uint64_t *times;

	for (guint i = 0; i < count; i++)
		last = MAX(last, nodes[i]);
	times = g_new0(uint64_t, last + 1);
	for (guint i = 0; i < count; i++)
		times[nodes[i]]++;
	for (uint32_t node = 1; node <= last; node++) {
		guint depth;

		if (times[node] < TIMES_MIN || (name && !is_called(tree, node, name)))
			continue;
		depth = depth_of(tree, node);
		if (depth > least || (depth == least && times[node] <= times[found]))
			continue;
		least = depth;
		found = node;
	}
	g_free(times);
	return found;
}

/* The time of each thread's last switch of layers.  The caller frees it. */
static uint64_t *last_changes(const struct timeline *timeline)
{
	uint64_t *last_ns = g_new0(uint64_t, timeline->threads + 1);

	for (guint i = 0; i < timeline->switches->len; i++) {
		const struct timeline_switch *change = mapped_array_at(timeline->switches, i);

		last_ns[change->thread] = change->time_ns;
	}
	return last_ns;
}

/* The iterations that begin at these boundaries, of the first thread of each process. */
static void set_begins(struct iterations *iterations, const GArray *boundaries)
{
	uint64_t *last_ns = last_changes(iterations->ledger->timeline);
	const struct boundary *last = NULL;

	for (guint i = 0; i < boundaries->len; i++) {
		const struct boundary *boundary = &g_array_index(boundaries, struct boundary, i);
		struct iteration iteration = {.begin_ns = boundary->time_ns};
		bool same = last && last->process == boundary->process;

		if (same && last->thread != boundary->thread)
			continue;
		if (same)
			iterations_at(iterations, iterations->list->len - 1)->end_ns =
				boundary->time_ns;
		iteration.end_ns = MAX(boundary->time_ns, last_ns[boundary->thread]);
		g_array_append_val(iterations->list, iteration);
		iterations->first[boundary->process + 1] = iterations->list->len;
		last = boundary;
	}
	g_free(last_ns);
}

static GArray *boundaries_of_layer(
	const struct ledger *ledger, const uint32_t *nodes, uint32_t node)
{
	struct mapped_array *switches = ledger->timeline->switches;
	GArray *boundaries = g_array_new(FALSE, FALSE, sizeof(struct boundary));

	for (guint i = 0; i < switches->len; i++) {
		const struct timeline_switch *change = mapped_array_at(switches, i);
		struct boundary boundary = {
			change->process, change->thread, change->time_ns, 0, false};

		if (nodes[i] == node)
			g_array_append_val(boundaries, boundary);
	}
	return boundaries;
}

/* ---- choosing ---- */

/* Makes the ranges of processes without iterations empty. */
static void close_gaps(struct iterations *iterations)
{
	for (guint i = 0; i < iterations_processes(iterations); i++)
		iterations->first[i + 1] = MAX(iterations->first[i + 1], iterations->first[i]);
}

static void set_by_mark(struct iterations *iterations, guint mark)
{
	const struct model *model = iterations->ledger->model;
	const struct model_mark *known = &g_array_index(model->marks, struct model_mark, mark);
	GArray *boundaries = boundaries_of_mark(model, mark);

	iterations->from = "mark";
	iterations->name = g_strdup(known->name);
	iterations->unit = known->unit;
	g_array_sort(boundaries, by_time);
	join_boundaries(model, boundaries);
	set_ends(iterations, boundaries);
	g_array_free(boundaries, TRUE);
}

static void set_by_layer(struct iterations *iterations, const char *name)
{
	const struct ledger *ledger = iterations->ledger;
	uint32_t *nodes = nodes_of(ledger), node = find_layer(ledger, nodes, name);

	if (node != LAYER_TREE_ROOT) {
		GArray *boundaries = boundaries_of_layer(ledger, nodes, node);

		iterations->from = "layer";
		iterations->name = layer_tree_path(ledger->layers, node);
		g_array_sort(boundaries, by_time);
		set_begins(iterations, boundaries);
		g_array_free(boundaries, TRUE);
	}
	g_free(nodes);
}

bool iterations_find(struct iterations *iterations, const char *name)
{
	int mark = find_mark(iterations->ledger->model, name);

	if (mark >= 0)
		set_by_mark(iterations, (guint)mark);
	else
		set_by_layer(iterations, name);
	close_gaps(iterations);
	for (guint i = 0; i < iterations_processes(iterations); i++)
		if (iterations->first[i + 1] - iterations->first[i] >= TIMES_MIN)
			return true;
	return false;
}
