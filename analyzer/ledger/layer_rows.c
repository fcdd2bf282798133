/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/layer_rows.h"

#include "analyzer/ledger/measured.h"
#include "analyzer/model/hosts.h"

/* The length of a union of executions' times, which are added in the order of their beginnings. */
struct busy_time {
	uint64_t until_ns;      /* the latest end so far */
	uint64_t sum_ns;        /* the length */
	uint64_t unmeasured_ns; /* the part of it without known power */
};

struct layer_rows {
	struct ledger *ledger;
	GArray *row_of;    /* guint, by node of the tree; LEDGER_NO_ROW: none */
	GArray *parent_of; /* guint, by row */
	GArray *idle_nj;   /* uint64_t, by row */
	GArray *own, *all; /* struct busy_time, by row and axis */
	guint axes;     /* of time: that of all machines which know the time of day, and others */
	guint *axis_of; /* by process */
};

static void find_axes(struct layer_rows *layers)
{
	const struct model *model = layers->ledger->model;
	const struct model_process *processes = (const void *)model->processes->data;

	layers->axis_of = g_new(guint, model->processes->len + 1);
	for (guint i = 0; i < model->processes->len; i++) {
		guint first = 0;

		while (!hosts_share_axis(model, processes[first].machine, processes[i].machine))
			first++;
		layers->axis_of[i] = first < i ? layers->axis_of[first] : layers->axes++;
	}
}

struct layer_rows *layer_rows_new(struct ledger *ledger)
{
	struct layer_rows *layers = g_new0(struct layer_rows, 1);

	layers->ledger = ledger;
	layers->row_of = g_array_new(FALSE, FALSE, sizeof(guint));
	layers->parent_of = g_array_new(FALSE, FALSE, sizeof(guint));
	layers->idle_nj = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	layers->own = g_array_new(FALSE, TRUE, sizeof(struct busy_time));
	layers->all = g_array_new(FALSE, TRUE, sizeof(struct busy_time));
	find_axes(layers);
	return layers;
}

void layer_rows_free(struct layer_rows *layers)
{
	g_array_free(layers->row_of, TRUE);
	g_array_free(layers->parent_of, TRUE);
	g_array_free(layers->idle_nj, TRUE);
	g_array_free(layers->own, TRUE);
	g_array_free(layers->all, TRUE);
	g_free(layers->axis_of);
	g_free(layers);
}

/* ---- making rows ---- */

static guint *row_of(struct layer_rows *layers, uint32_t node)
{
	const guint none = LEDGER_NO_ROW;

	while (layers->row_of->len <= node)
		g_array_append_val(layers->row_of, none);
	return &g_array_index(layers->row_of, guint, node);
}

static guint add_row(struct layer_rows *layers, uint32_t node, guint parent, const char *api)
{
	struct ledger *ledger = layers->ledger;
	struct ledger_row row = {.layer = node,
		.name = layer_tree_path(ledger->layers, node),
		.short_name = g_strdup(layer_tree_name(ledger->layers, node)),
		.shape = g_strdup(""),
		.device = "",
		.api = api,
		.signature = "",
		.begin_ns = UINT64_MAX,
		.ci95_j = -1,
		.energy_known = true};

	g_array_append_val(ledger->rows, row);
	g_array_append_val(layers->parent_of, parent);
	g_array_set_size(layers->idle_nj, ledger->rows->len);
	g_array_set_size(layers->own, ledger->rows->len * layers->axes);
	g_array_set_size(layers->all, ledger->rows->len * layers->axes);
	return *row_of(layers, node) = ledger->rows->len - 1;
}

static guint find_node(struct layer_rows *layers, uint32_t node, const char *api)
{
	guint parent;

	if (node == LAYER_TREE_ROOT)
		return LEDGER_NO_ROW;
	if (*row_of(layers, node) != LEDGER_NO_ROW)
		return *row_of(layers, node);
	/* The recursion is at most LAYER_TREE_DEPTH deep. */
	parent = find_node(layers, layer_tree_parent(layers->ledger->layers, node), api);
	return add_row(layers, node, parent, api);
}

guint layer_rows_find(struct layer_rows *layers, const struct model_process *process,
	uint32_t layer, const char *api)
{
	return find_node(layers, layer_tree_node(layers->ledger->layers, process, layer), api);
}

/* ---- time ---- */

/* Adds an execution, of which so long was not measured, to a union.  Returns whether the union has
 * grown. */
static bool grow(struct busy_time *busy, const struct ledger *ledger,
	const struct model_execution *execution, uint64_t unmeasured_ns)
{
	struct model_execution fresh = *execution;

	if (execution->end_ns <= busy->until_ns)
		return false;
	fresh.begin_ns = MAX(execution->begin_ns, busy->until_ns);
	busy->sum_ns += fresh.end_ns - fresh.begin_ns;
	if (unmeasured_ns)
		busy->unmeasured_ns += measured_missing_ns(ledger->measured, ledger->model, &fresh);
	busy->until_ns = execution->end_ns;
	return true;
}

void layer_rows_add(struct layer_rows *layers, guint row, uint32_t process,
	const struct model_execution *execution, uint64_t unmeasured_ns)
{
	guint axis = layers->axis_of[process];

	grow(&g_array_index(layers->own, struct busy_time, row * layers->axes + axis),
		layers->ledger, execution, unmeasured_ns);
	/* Stop where nothing is new: the layers around are busy whenever this one is. */
	while (row != LEDGER_NO_ROW &&
		grow(&g_array_index(layers->all, struct busy_time, row * layers->axes + axis),
			layers->ledger, execution, unmeasured_ns))
		row = g_array_index(layers->parent_of, guint, row);
}

void layer_rows_add_idle(struct layer_rows *layers, guint row, uint64_t idle_nj)
{
	g_array_index(layers->idle_nj, uint64_t, row) += idle_nj;
}

/* The sum of a row's busy time over all axes. */
static struct busy_time busy_of(const struct layer_rows *layers, const GArray *busy, guint row)
{
	struct busy_time sum = {0};

	for (guint i = 0; i < layers->axes; i++) {
		const struct busy_time *own =
			&g_array_index(busy, struct busy_time, row * layers->axes + i);

		sum.sum_ns += own->sum_ns;
		sum.unmeasured_ns += own->unmeasured_ns;
	}
	return sum;
}

/* ---- sums ---- */

static struct ledger_row *row_at(const struct layer_rows *layers, guint i)
{
	return &g_array_index(layers->ledger->rows, struct ledger_row, i);
}

static void make_node(struct layer_rows *layers, guint i)
{
	struct ledger_row *row = row_at(layers, i);
	guint parent = g_array_index(layers->parent_of, guint, i);
	struct busy_time all = busy_of(layers, layers->all, i);
	bool known = row->energy_known && ledger_time_known(row);

	row->node = g_new(struct ledger_node, 1);
	*row->node = (struct ledger_node){.parent = parent,
		.depth = parent == LEDGER_NO_ROW ? 1 : row_at(layers, parent)->node->depth + 1,
		.busy_ns = busy_of(layers, layers->own, i).sum_ns,
		.idle_nj = g_array_index(layers->idle_nj, uint64_t, i),
		.idle_known = known,
		.all = {.executions = row->executions,
			.timed = row->timed,
			.busy_ns = all.sum_ns,
			.unmeasured_ns = all.unmeasured_ns,
			.energy_nj = row->energy_nj,
			.static_nj = row->static_nj,
			.ci95_j = -1,
			.idle_nj = g_array_index(layers->idle_nj, uint64_t, i),
			.idle_known = known,
			.energy_known = known}};
}

static void add_to(struct ledger_sums *all, const struct ledger_sums *part)
{
	all->executions += part->executions;
	all->timed += part->timed;
	all->energy_nj += part->energy_nj;
	all->static_nj += part->static_nj;
	all->idle_nj += part->idle_nj;
	all->idle_known &= part->idle_known;
	all->energy_known &= part->energy_known;
}

void layer_rows_finish(struct layer_rows *layers)
{
	guint rows = layers->ledger->rows->len;

	for (guint i = 0; i < rows; i++)
		make_node(layers, i);
	for (guint i = rows; i > 0; i--) {
		const struct ledger_row *row = row_at(layers, i - 1);
		struct ledger_row *parent;

		if (row->node->parent == LEDGER_NO_ROW)
			continue;
		parent = row_at(layers, row->node->parent);
		parent->begin_ns = MIN(parent->begin_ns, row->begin_ns);
		add_to(&parent->node->all, &row->node->all);
	}
}
