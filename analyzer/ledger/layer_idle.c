/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/layer_idle.h"

#include "analyzer/ledger/idle.h"
#include "analyzer/model/source.h"
#include "analyzer/model/timeline.h"

/* Whether the devices of a source ran something in a layer, or in one inside it; and the layer's
 * row, counted from 1 (0: not looked up yet). */
struct layer_use {
	bool used;
	guint row;
};

struct layer_idle_job {
	const struct ledger *ledger;
	struct layer_rows *layers;
	struct table **uses; /* struct layer_use by process and layer, of one source */
};

static const struct model_process *process_at(const struct layer_idle_job *job, uint32_t process)
{
	return &g_array_index(job->ledger->model->processes, struct model_process, process);
}

/* The layer around a layer; 0: none. */
static uint32_t parent_of(const struct layer_idle_job *job, uint32_t process, uint32_t layer)
{
	const struct model_layer *known = table_find(process_at(job, process)->layers, layer);

	return known && known->defined ? known->parent : 0;
}

static void mark_used(struct layer_idle_job *job, uint32_t process, uint32_t layer)
{
	struct layer_use *use;

	while (layer && (use = table_slot(job->uses[process], layer)) && !use->used) {
		use->used = true;
		layer = parent_of(job, process, layer);
	}
}

static void find_used(struct layer_idle_job *job, const struct source *source)
{
	const struct model *model = job->ledger->model;
	bool *seen = g_new0(bool, model->origins->list->len + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct model_origin *origin = model_origin_of(model, execution);

		if (seen[execution->origin])
			continue;
		seen[execution->origin] = true;
		if (source_covers(source, origin->gpu))
			mark_used(job, origin->process, origin->layer);
	}
	g_free(seen);
}

/* The row of the innermost layer, from a layer outwards, in which something ran on the devices. */
static guint row_of(const struct layer_idle_job *job, uint32_t process, uint32_t layer)
{
	const struct layer_use *known = NULL;
	struct layer_use *use;

	while (layer && (!(known = table_find(job->uses[process], layer)) || !known->used))
		layer = parent_of(job, process, layer);
	if (!layer)
		return IDLE_NO_ACCOUNT;
	use = table_slot(job->uses[process], layer);
	if (!use->row)
		use->row = layer_rows_find(job->layers, process_at(job, process), layer, "") + 1;
	return use->row - 1;
}

static struct idle_switch switch_at(void *context, guint i)
{
	const struct layer_idle_job *job = context;
	const struct timeline_switch *from = mapped_array_at(job->ledger->timeline->switches, i);

	return (struct idle_switch){
		from->time_ns, from->thread, row_of(job, from->process, from->layer)};
}

/* Adds the idle energy of a source to idle_nj, by row, as idle_split() does. */
static void charge(struct layer_idle_job *job, guint source_index, uint64_t *idle_nj)
{
	const struct ledger *ledger = job->ledger;
	guint processes = ledger->model->processes->len;
	const struct idle_switches switches = {ledger->timeline->switches->len, switch_at, job};

	job->uses = g_new(struct table *, processes + 1);
	for (guint i = 0; i < processes; i++)
		job->uses[i] = table_new(sizeof(struct layer_use));
	find_used(job, &g_array_index(ledger->sources, struct source, source_index));
	idle_split(ledger, source_index, &switches, ledger->timeline->threads, ledger->rows->len,
		idle_nj);
	for (guint i = 0; i < processes; i++)
		table_free(job->uses[i]);
	g_free(job->uses);
}

void layer_idle_charge(struct ledger *ledger, struct layer_rows *layers)
{
	struct layer_idle_job job = {.ledger = ledger, .layers = layers};
	guint rows = ledger->rows->len;
	uint64_t *idle_nj = g_new0(uint64_t, rows + 1);

	for (guint i = 0; i < ledger->sources->len; i++)
		if (g_array_index(ledger->sources, struct source, i).top_level)
			charge(&job, i, idle_nj);
	for (guint i = 0; i < rows; i++)
		layer_rows_add_idle(layers, i, idle_nj[i]);
	if (idle_nj[rows] && ledger->model->processes->len)
		layer_rows_add_idle(layers,
			layer_rows_find(layers,
				&g_array_index(ledger->model->processes, struct model_process, 0),
				0, ""),
			idle_nj[rows]);
	g_free(idle_nj);
}
