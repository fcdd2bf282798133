/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/rows.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/collective_rows.h"
#include "analyzer/ledger/graph_profile.h"
#include "analyzer/ledger/intervals.h"
#include "analyzer/ledger/iterations.h"
#include "analyzer/ledger/layer_idle.h"
#include "analyzer/ledger/measured.h"
#include "analyzer/ledger/row_label.h"
#include "analyzer/ledger/row_name.h"
#include "analyzer/model/id_map.h"
#include "analyzer/print/message.h"

/* The id that two executions must have in common to be in one row, besides process and device. */
static uint64_t kernel_id(const struct model_origin *origin)
{
	return (uint64_t)origin->collective << 32 | origin->kernel;
}

static uint64_t collective_id(const struct model_origin *origin)
{
	return origin->collective;
}

static uint64_t layer_id(const struct model_origin *origin)
{
	return origin->layer;
}

static uint64_t stream_id(const struct model_origin *origin)
{
	return origin->stream;
}

static uint64_t stack_id(const struct model_origin *origin)
{
	return (uint64_t)origin->stack << 32 | origin->kernel;
}

static uint64_t no_id(const struct model_origin *origin)
{
	(void)origin;
	return 0;
}

struct criterion {
	uint64_t (*id)(const struct model_origin *origin); /* NULL: a row for each */
	row_name *name;
	bool tree; /* layers, whose rows have names of their own */
};

const struct ledger_by ledger_bys[] = {
	{"kernel", "kernels and copies, each by name and shape"},
	{"layer", "layers that the program named"},
	{"stream", "streams, or queues"},
	{"device", "devices"},
	{"process", "processes"},
	{"stack", "call paths, each with the kernel at its end"},
	{"launch", "every execution, in the order of time"},
	{"collective", "collectives of NCCL and RCCL, by kind and size"},
	{NULL, NULL},
};

static const struct criterion criteria[] = {
	{kernel_id, row_name_kernel, false},
	{layer_id, NULL, true},
	{stream_id, row_name_stream, false},
	{no_id, row_name_device, false},
	{no_id, row_name_process, false},
	{stack_id, row_name_stack, false},
	{NULL, row_name_kernel, false},
	{collective_id, row_name_collective, false},
};

static const struct criterion *criterion_of(const char *by)
{
	for (size_t i = 0; ledger_bys[i].name; i++)
		if (strcmp(ledger_bys[i].name, by) == 0)
			return &criteria[i];
	return NULL;
}

/* ---- rows ---- */

/* After so many executions it is said how far that is. */
#define PROGRESS_EXECUTIONS 65536

struct row_builder {
	struct ledger *ledger;
	const struct criterion *criterion;
	GHashTable *row_by_key;      /* row + 1 */
	struct id_map *row_by_id;    /* row + 1, so that not each of millions has its name made */
	struct intervals *intervals; /* NULL: the method finds none */
	struct layer_rows *layers;   /* NULL: the rows are no tree */
	struct states *states;
	guint next_run; /* of a collective */
	guint visited;  /* executions */
};

static struct ledger_row *row_at(const struct ledger *ledger, guint i)
{
	return &g_array_index(ledger->rows, struct ledger_row, i);
}

/* The lengths make keys unique, whatever characters are in the names.  Processes of two containers
 * may have the same name and pid. */
static char *key_of(const struct ledger_row *row)
{
	return g_strdup_printf("%u %u %d %zu %zu %zu %s%s%s%s", row->call, row->process,
		row->modelled, strlen(row->name), strlen(row->shape), strlen(row->signature),
		row->name, row->shape, row->signature, row->device);
}

void rows_clear(struct ledger_row *row)
{
	g_free(row->name);
	g_free(row->short_name);
	g_free(row->label);
	g_free(row->shape);
	g_free(row->node);
	g_free(row->utilization);
}

/* The row with the same names, or a new one; owns or frees the strings of the given one. */
static guint find_or_add(struct row_builder *builder, struct ledger_row *row)
{
	char *key = builder->criterion->id ? key_of(row) : NULL;
	guint known = key ? GPOINTER_TO_UINT(g_hash_table_lookup(builder->row_by_key, key)) : 0;

	if (known) {
		g_free(key);
		rows_clear(row);
		return known - 1;
	}
	g_array_append_vals(builder->ledger->rows, row, 1);
	if (key)
		g_hash_table_insert(
			builder->row_by_key, key, GUINT_TO_POINTER(builder->ledger->rows->len));
	return builder->ledger->rows->len - 1;
}

static guint add_row(
	struct row_builder *builder, const struct model_origin *origin, uint64_t begin_ns)
{
	const struct model *model = builder->ledger->model;
	const struct model_gpu *device = model_gpu_at(model, origin);
	struct ledger_row row = {.device = device ? device->name : "",
		.api = device ? device->api : "",
		.signature = "",
		.begin_ns = begin_ns,
		.ci95_j = -1,
		.replays.ci95_j = -1,
		.slope = NAN,
		.energy_known = true};

	if (builder->layers)
		return layer_rows_find(
			builder->layers, model_process_of(model, origin), origin->layer, row.api);
	builder->criterion->name(model, origin, &row);
	if (!row.shape)
		row.shape = g_strdup("");
	return find_or_add(builder, &row);
}

/* Where row + 1 of an origin is kept; 0: it has none yet. */
static uint32_t *row_slot(struct row_builder *builder, const struct model_origin *origin)
{
	const struct id_key key = {.process = origin->process,
		.gpu = origin->gpu,
		.id = builder->criterion->id(origin)};

	return id_map_at(builder->row_by_id, &key);
}

static guint row_of(
	struct row_builder *builder, const struct model_origin *origin, uint64_t begin_ns)
{
	uint32_t *row;

	if (!builder->criterion->id)
		return add_row(builder, origin, begin_ns);
	row = row_slot(builder, origin);
	if (!*row)
		*row = add_row(builder, origin, begin_ns) + 1;
	return *row - 1;
}

static void add_to(struct ledger_replays *replays, const struct execution_energy *attributed)
{
	replays->executions++;
	replays->time_ns += attributed->execution->end_ns - attributed->execution->begin_ns;
	replays->energy_nj += attributed->energy_nj;
}

/* A kernel that only runs in graphs that are timed as one unit has no row. */
static void add_replay(struct row_builder *builder, const struct model_origin *origin,
	const struct execution_energy *attributed)
{
	struct ledger *ledger = builder->ledger;
	bool is_alike = !origin_is_unlike(origin) && origin_is_kernel(origin);
	const struct model_execution *execution = attributed->execution;
	struct ledger_replays *of_row;
	uint32_t row;

	add_to(&ledger->replays, attributed);
	if (builder->criterion->id != kernel_id || !is_alike)
		return;
	row = *row_slot(builder, origin);
	if (!row)
		return;
	of_row = &row_at(ledger, row - 1)->replays;
	add_to(of_row, attributed);
	states_add(builder->states, &of_row->state, origin->gpu, execution->begin_ns,
		execution->end_ns);
	if (builder->intervals)
		intervals_add_replay(builder->intervals, row - 1, attributed);
}

static bool is_measured(const struct ledger *ledger, const struct model_origin *origin)
{
	return origin->gpu != MODEL_NONE && ledger->attribution->measured[origin->gpu];
}

/* An attribution_visitor. */
static void add_execution(void *data, const struct execution_energy *attributed)
{
	struct row_builder *builder = data;
	const struct model *model = builder->ledger->model;
	const struct model_execution *execution = attributed->execution;
	const struct model_origin *origin = model_origin_of(model, execution);
	uint64_t time_ns = execution->end_ns - execution->begin_ns;
	uint64_t unmeasured_ns;
	struct ledger_row *row;
	guint index;

	if (++builder->visited % PROGRESS_EXECUTIONS == 0)
		message_progress("summing energies up", builder->visited, model->executions->len);
	if (origin->replayed) {
		add_replay(builder, origin, attributed);
		return;
	}
	index = row_of(builder, origin, execution->begin_ns);
	row = row_at(builder->ledger, index);
	if (origin->collective)
		collective_rows_add(row,
			&g_array_index(model->collectives->runs, struct model_collective_run,
				builder->next_run++),
			attributed);
	unmeasured_ns = measured_missing_ns(builder->ledger->measured, model, execution);
	if (builder->intervals)
		intervals_add(builder->intervals, index, attributed);
	if (builder->layers && model_is_timed(execution))
		layer_rows_add(builder->layers, index, origin->process, execution, unmeasured_ns);
	states_add(
		builder->states, &row->state, origin->gpu, execution->begin_ns, execution->end_ns);
	if (builder->ledger->iterations)
		iterations_add(builder->ledger->iterations, index, attributed, unmeasured_ns);
	row->begin_ns = MIN(row->begin_ns, execution->begin_ns);
	row->executions++;
	row->timed += model_is_timed(execution);
	row->time_ns += time_ns;
	row->unmeasured_ns += unmeasured_ns;
	row->energy_nj += attributed->energy_nj;
	row->energy_known &= is_measured(builder->ledger, origin);
	builder->ledger->unmeasured.time_ns += unmeasured_ns;
	builder->ledger->unmeasured.ran_ns += time_ns;
	builder->ledger->unmeasured.executions += unmeasured_ns && unmeasured_ns == time_ns;
}

/* ---- graphs ---- */

/* The errors of two graphs are added, not their squares, since their correlation is not known.
 * Negative where one is not known. */
static double sum_ci95_j(double a_j, double b_j)
{
	return a_j >= 0 && b_j >= 0 ? a_j + b_j : -1;
}

static void split_row(struct row_builder *builder, const struct graph_profile *profile,
	const struct ledger_row *row)
{
	struct ledger_row *parts = g_new(struct ledger_row, profile->parts->len);

	graph_profile_split(profile, row, parts);
	for (guint i = 0; i < profile->parts->len; i++) {
		struct ledger_row empty = parts[i];
		struct ledger_row *sum;

		empty.executions = empty.timed = empty.time_ns = empty.energy_nj = 0;
		empty.unmeasured_ns = empty.static_nj = 0;
		empty.ci95_j = 0;
		empty.signature = "";
		sum = row_at(builder->ledger, find_or_add(builder, &empty));
		sum->executions += parts[i].executions;
		sum->timed += parts[i].timed;
		sum->time_ns += parts[i].time_ns;
		sum->unmeasured_ns += parts[i].unmeasured_ns;
		sum->energy_nj += parts[i].energy_nj;
		sum->static_nj += parts[i].static_nj;
		sum->static_known &= row->static_known;
		sum->ci95_j = sum_ci95_j(sum->ci95_j, parts[i].ci95_j);
		sum->begin_ns = MIN(sum->begin_ns, row->begin_ns);
		sum->energy_known &= row->energy_known;
	}
	g_free(parts);
}

/* Replaces the rows of graphs that have a profile by rows of their nodes. */
static void split_graphs(struct row_builder *builder)
{
	struct ledger *ledger = builder->ledger;
	guint own = ledger->rows->len;

	for (guint i = 0; i < own; i++) {
		const struct ledger_row row = *row_at(ledger, i);
		const struct graph_profile *profile =
			graph_profile_find(ledger->graphs, row.signature);

		if (profile)
			split_row(builder, profile, &row);
	}
	for (guint i = own; i > 0; i--) {
		if (!graph_profile_find(ledger->graphs, row_at(ledger, i - 1)->signature))
			continue;
		rows_clear(row_at(ledger, i - 1));
		g_array_remove_index(ledger->rows, i - 1);
	}
}

/* A row that ran only at times without known power has no known energy. */
static void finish_energy(struct ledger_row *row)
{
	row->energy_known &= ledger_time_known(row);
	row->energy_known &= !row->unmeasured_ns || row->unmeasured_ns < row->time_ns;
	if (row->node)
		row->node->all.energy_known &=
			!row->node->all.unmeasured_ns ||
			row->node->all.unmeasured_ns < row->node->all.busy_ns;
}

void rows_make(struct ledger *ledger)
{
	struct row_builder *builder = g_new0(struct row_builder, 1);

	builder->ledger = ledger;
	builder->criterion = criterion_of(ledger->by);
	builder->states = states_of(ledger->model);
	builder->layers = builder->criterion->tree ? layer_rows_new(ledger) : NULL;
	builder->row_by_id = id_map_new();
	builder->row_by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	builder->intervals =
		ledger->fits->len ? intervals_new(ledger, builder->criterion->id == NULL) : NULL;
	attribution_visit(ledger->attribution, add_execution, builder);
	message_progress_end();
	if (builder->layers && ledger->timeline)
		layer_idle_charge(ledger, builder->layers);
	if (builder->layers)
		layer_rows_finish(builder->layers);
	if (ledger->iterations)
		iterations_finish(ledger->iterations);
	if (builder->intervals)
		intervals_finish(builder->intervals);
	if (ledger->graphs && builder->criterion->id == kernel_id)
		split_graphs(builder);
	for (guint i = 0; i < ledger->rows->len; i++)
		finish_energy(row_at(ledger, i));
	collective_rows_finish(ledger);
	row_label_all(row_at(ledger, 0), ledger->rows->len, strcmp(ledger->by, "launch") == 0);
	if (builder->layers)
		layer_rows_free(builder->layers);
	id_map_free(builder->row_by_id);
	g_hash_table_destroy(builder->row_by_key);
	states_free(builder->states);
	g_free(builder);
}
