/* SPDX-License-Identifier: MIT */
#include "analyzer/model/take.h"

/* raw: by the device's clock; what is unknown of it, or as in the execution, says nothing more. */
static void add_execution(struct model *model, const struct model_execution *execution,
	const struct model_raw_times *raw)
{
	struct model_execution added = *execution;
	guint index = model->executions->len;

	if (added.begin_ns == PWRTRACE_UNKNOWN_U64 || added.end_ns == PWRTRACE_UNKNOWN_U64 ||
		added.end_ns < added.begin_ns)
		added.begin_ns = added.end_ns = 0;
	g_array_append_val(model->executions, added);
	if (raw->begin_ns == PWRTRACE_UNKNOWN_U64 || raw->end_ns == PWRTRACE_UNKNOWN_U64 ||
		(raw->begin_ns == execution->begin_ns && raw->end_ns == execution->end_ns))
		return;
	g_array_set_size(model->raw_times, index + 1);
	g_array_index(model->raw_times, struct model_raw_times, index) = *raw;
}

/* ---- launches and executions of kernels are joined on (process, correlation), whichever comes
 * first.  What waits is kept as an index in launches + 1, or as -(index + 1) of an execution. */

struct launch {
	uint64_t enqueue_ns;
	uint32_t layer, stack;
};

/* Traces from before there were stacks have none. */
static uint32_t known_stack(uint32_t stack)
{
	return stack < TABLE_LIMIT ? stack : 0;
}

GArray *take_launches_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct launch));
}

static gpointer join_key(uint32_t process, uint32_t correlation)
{
	return GSIZE_TO_POINTER((gsize)process << 32 | correlation);
}

static gssize keep_launch(struct model *model, const struct pwrtrace_kernel_launch *e)
{
	struct launch launch = {e->enqueue_ns, e->layer, known_stack(e->stack)};
	guint place = model->launches->len, free = model->launches_free->len;

	if (free) {
		place = g_array_index(model->launches_free, guint, free - 1);
		g_array_set_size(model->launches_free, free - 1);
		g_array_index(model->launches, struct launch, place) = launch;
	} else {
		g_array_append_val(model->launches, launch);
	}
	return (gssize)place + 1;
}

static struct launch take_kept(struct model *model, gssize found)
{
	guint place = (guint)(found - 1);

	g_array_append_val(model->launches_free, place);
	return g_array_index(model->launches, struct launch, place);
}

void take_kernel_launch(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_kernel_launch *e = record;
	gpointer key = join_key(take_process_index(model, trace, e->pid), e->correlation);
	gssize found = (gssize)g_hash_table_lookup(model->waiting, key);

	if (found < 0) {
		struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, -found - 1);

		execution->layer = e->layer;
		execution->stack = known_stack(e->stack);
		execution->energy_nj = e->enqueue_ns;
		g_hash_table_remove(model->waiting, key);
	} else if (found > 0) {
		g_array_index(model->launches, struct launch, found - 1) =
			(struct launch){e->enqueue_ns, e->layer, known_stack(e->stack)};
	} else {
		g_hash_table_insert(model->waiting, key, (gpointer)keep_launch(model, e));
	}
}

void take_kernel_exec(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_kernel_exec *e = record;
	uint32_t process = take_process_index(model, trace, e->pid);
	gpointer key = join_key(process, e->correlation);
	gssize found = (gssize)g_hash_table_lookup(model->waiting, key);
	struct launch launch = {PWRTRACE_UNKNOWN_U64, 0, 0};

	if (found > 0)
		launch = take_kept(model, found);
	add_execution(model,
		&(struct model_execution){.begin_ns = e->begin_ns,
			.end_ns = e->end_ns,
			.energy_nj = launch.enqueue_ns,
			.process = process,
			.stream = e->stream,
			.kernel = e->kernel < TABLE_LIMIT ? e->kernel : 0,
			.layer = launch.layer,
			.stack = launch.stack},
		&(struct model_raw_times){e->raw_begin_ns, e->raw_end_ns});
	if (found > 0)
		g_hash_table_remove(model->waiting, key);
	else
		g_hash_table_insert(
			model->waiting, key, (gpointer)(-(gssize)model->executions->len));
}

static uint32_t memory_index(struct model *model, const struct pwrtrace_memory_exec *e)
{
	char *key = g_strdup_printf("%s %s %" G_GUINT64_FORMAT, e->name, e->kind, e->bytes);
	gpointer found;

	if (g_hash_table_lookup_extended(model->memory_index, key, NULL, &found)) {
		g_free(key);
	} else {
		struct model_memory memory = {
			take_text(model, e->name), take_text(model, e->kind), e->bytes};

		found = GUINT_TO_POINTER(model->memories->len);
		g_array_append_val(model->memories, memory);
		g_hash_table_insert(model->memory_index, key, found);
	}
	return MODEL_IS_MEMORY | GPOINTER_TO_UINT(found);
}

void take_memory_exec(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_memory_exec *e = record;

	add_execution(model,
		&(struct model_execution){.begin_ns = e->begin_ns,
			.end_ns = e->end_ns,
			.energy_nj = e->enqueue_ns,
			.process = take_process_index(model, trace, e->pid),
			.stream = e->stream,
			.kernel = memory_index(model, e),
			.layer = e->layer,
			.stack = known_stack(e->stack)},
		&(struct model_raw_times){e->raw_begin_ns, e->raw_end_ns});
}

void take_graph_launch(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_graph_launch *e = record;
	struct model_graph *graph =
		table_slot(take_process_of(model, trace, e->pid)->graphs, e->graph);
	bool unit = e->begin_ns != PWRTRACE_UNKNOWN_U64 || e->end_ns != PWRTRACE_UNKNOWN_U64 ||
		    e->raw_begin_ns != PWRTRACE_UNKNOWN_U64;

	if (graph)
		unit ? graph->units++ : graph->launches++;
	if (!unit)
		return;
	add_execution(model,
		&(struct model_execution){.begin_ns = e->begin_ns,
			.end_ns = e->end_ns,
			.energy_nj = e->enqueue_ns,
			.process = take_process_index(model, trace, e->pid),
			.stream = e->stream,
			.kernel = MODEL_IS_GRAPH | (graph ? e->graph : 0),
			.layer = e->layer,
			.stack = known_stack(e->stack)},
		&(struct model_raw_times){e->raw_begin_ns, e->raw_end_ns});
}

void take_replay(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_replay *e = record;
	struct model_replay replay = {.span = {e->begin_ns, MAX(e->begin_ns, e->end_ns)},
		.count = e->count,
		.process = take_process_index(model, trace, e->pid),
		.kernel = e->kernel,
		.reason = take_text(model, e->reason)};

	g_array_append_val(model->replays, replay);
}
