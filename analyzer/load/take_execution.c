/* SPDX-License-Identifier: MIT */
#include "analyzer/load/join.h"
#include "analyzer/load/take.h"

/* Traces from before there were stacks have none. */
static uint32_t known_stack(uint32_t stack)
{
	return stack < TABLE_LIMIT ? stack : 0;
}

static uint32_t length_ns(uint64_t begin_ns, uint64_t end_ns)
{
	return begin_ns == PWRTRACE_UNKNOWN_U64 || end_ns == PWRTRACE_UNKNOWN_U64 ||
			       end_ns < begin_ns
		       ? PWRTRACE_UNKNOWN_U32
		       : (uint32_t)MIN(end_ns - begin_ns, PWRTRACE_UNKNOWN_U32);
}

/* raw: by the device's clock; what is unknown of it, or as on the host's, says nothing more. */
static void add_execution(struct model *model, const struct model_origin *origin,
	uint64_t launched_ns, const struct model_span *span, const struct model_raw_times *raw,
	uint32_t correlation, uint64_t returned_ns)
{
	struct model_execution added = {.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.launched_ns = launched_ns,
		.origin = origins_number(model->origins, origin)};
	struct model_call call = {correlation, length_ns(launched_ns, returned_ns)};
	guint index = model->executions->len;

	if (added.begin_ns == PWRTRACE_UNKNOWN_U64 || added.end_ns == PWRTRACE_UNKNOWN_U64 ||
		added.end_ns < added.begin_ns)
		added.begin_ns = added.end_ns = 0;
	g_array_append_val(model->executions, added);
	g_array_append_val(model->launching, call);
	if (raw->begin_ns == PWRTRACE_UNKNOWN_U64 || raw->end_ns == PWRTRACE_UNKNOWN_U64 ||
		(raw->begin_ns == span->begin_ns && raw->end_ns == span->end_ns))
		return;
	g_array_set_size(model->raw_times, index + 1);
	g_array_index(model->raw_times, struct model_raw_times, index) = *raw;
}

void take_kernel_launch(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_kernel_launch *e = record;
	const struct join_launch launch = {
		e->enqueue_ns, e->return_ns, e->layer, known_stack(e->stack)};
	struct model_execution *execution;
	struct model_origin origin;
	uint32_t index;

	if (!join_launch(model->join, take_process_index(model, trace, e->pid), e->correlation,
		    &launch, &index))
		return;
	execution = &g_array_index(model->executions, struct model_execution, index);
	execution->launched_ns = launch.launched_ns;
	g_array_index(model->launching, struct model_call, index).length_ns =
		length_ns(launch.launched_ns, launch.return_ns);
	origin = *model_origin_of(model, execution);
	origin.layer = launch.layer;
	origin.stack = launch.stack;
	execution->origin = origins_number(model->origins, &origin);
}

void take_kernel_exec(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_kernel_exec *e = record;
	uint32_t process = take_process_index(model, trace, e->pid);
	struct join_launch launch = {PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, 0, 0};

	join_execution(model->join, process, e->correlation, model->executions->len, &launch);
	add_execution(model,
		&(struct model_origin){.process = process,
			.stream = e->stream,
			.kernel = e->kernel < TABLE_LIMIT ? e->kernel : 0,
			.layer = launch.layer,
			.stack = launch.stack},
		launch.launched_ns, &(struct model_span){e->begin_ns, e->end_ns},
		&(struct model_raw_times){e->raw_begin_ns, e->raw_end_ns}, e->correlation,
		launch.return_ns);
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
		&(struct model_origin){.process = take_process_index(model, trace, e->pid),
			.stream = e->stream,
			.kernel = memory_index(model, e),
			.layer = e->layer,
			.stack = known_stack(e->stack)},
		e->enqueue_ns, &(struct model_span){e->begin_ns, e->end_ns},
		&(struct model_raw_times){e->raw_begin_ns, e->raw_end_ns}, e->correlation,
		e->return_ns);
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
		&(struct model_origin){.process = take_process_index(model, trace, e->pid),
			.stream = e->stream,
			.kernel = MODEL_IS_GRAPH | (graph ? e->graph : 0),
			.layer = e->layer,
			.stack = known_stack(e->stack)},
		e->enqueue_ns, &(struct model_span){e->begin_ns, e->end_ns},
		&(struct model_raw_times){e->raw_begin_ns, e->raw_end_ns}, e->correlation,
		e->return_ns);
}

void take_replay_begin(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_replay_begin *e = record;
	struct model_replay replay = {.span = {e->begin_ns, UINT64_MAX},
		.process = take_process_index(model, trace, e->pid),
		.reason = take_text(model, "its process ended meanwhile")};

	g_array_append_val(model->replays, replay);
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
