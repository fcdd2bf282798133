/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <errno.h>

#include "analyzer/load/clocks.h"
#include "analyzer/load/join.h"

/* The id of a call stack; 0 for unknown ones, as in traces of versions without call stacks. */
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

/* Counts an execution for which there is no room. */
static void leave_out(struct loader *loader)
{
	if (!loader->left_out++)
		loader->no_room = errno;
}

/* An execution as the trace tells it; times may be unknown. */
struct told_execution {
	struct model_origin origin;
	uint32_t correlation;
	uint32_t conversion;
	uint32_t tid;
	uint64_t enqueue_ns, return_ns, begin_ns, end_ns;
};

/* Counts a launch that was under way as written. */
static void note_written(struct loader *loader, const struct told_execution *told)
{
	struct in_flight *in_flight =
		MODEL_AT(loader->in_flight, struct in_flight, told->origin.process);

	if (in_flight && in_flight->count && told->enqueue_ns <= in_flight->time_ns)
		in_flight->count--;
}

static void add_execution(struct loader *loader, const struct told_execution *told)
{
	struct model_execution added = {.begin_ns = told->begin_ns,
		.end_ns = told->end_ns,
		.launched_ns = told->enqueue_ns,
		.origin = origins_number(loader->model->origins, &told->origin)};
	struct launch_call call = {told->correlation, length_ns(told->enqueue_ns, told->return_ns),
		told->conversion, told->tid};

	if (added.begin_ns == PWRTRACE_UNKNOWN_U64 || added.end_ns == PWRTRACE_UNKNOWN_U64 ||
		added.end_ns < added.begin_ns) {
		added.begin_ns = added.end_ns = 0;
		call.conversion = CLOCKS_UNCONVERTED;
	}
	note_written(loader, told);
	/* What follows the first execution that is left out is left out too. */
	if (loader->left_out || !mapped_array_append(loader->calls, &call) ||
		!mapped_array_append(loader->model->executions, &added))
		leave_out(loader);
}

void take_long_times(struct loader *loader, unsigned trace, const struct pwrtrace_long_times *e)
{
	struct pwrtrace_long_times kept = *e;

	kept.process = loader_process(loader, trace, e->process);
	g_array_append_val(loader->long_times, kept);
}

/* Sets the times of an execution from its event long_times, if that is in the trace. */
static void take_long(struct loader *loader, struct told_execution *told)
{
	for (guint i = 0; i < loader->long_times->len; i++) {
		const struct pwrtrace_long_times *times =
			&g_array_index(loader->long_times, struct pwrtrace_long_times, i);

		if (times->process != told->origin.process ||
			times->correlation != told->correlation)
			continue;
		told->enqueue_ns = times->enqueue_ns;
		told->return_ns = times->return_ns;
		told->begin_ns = times->begin_ns;
		told->end_ns = times->end_ns;
		g_array_remove_index_fast(loader->long_times, i);
		return;
	}
}

/* The fields of time that the events of all kinds of executions have in common. */
struct short_times {
	uint32_t call_ns;
	int32_t delay_ns;
	uint32_t duration_ns;
};

/* Adds an execution with the times that its event gives after enqueue_ns. */
static void add_short(struct loader *loader, struct told_execution *told, uint32_t anchor,
	const struct short_times *times)
{
	bool launched = told->enqueue_ns != PWRTRACE_UNKNOWN_U64;

	told->conversion = clocks_conversion(loader->clocks, told->origin.process, anchor);
	told->return_ns = told->begin_ns = told->end_ns = PWRTRACE_UNKNOWN_U64;
	if (launched && times->call_ns != PWRTRACE_UNKNOWN_U32)
		told->return_ns = told->enqueue_ns + times->call_ns;
	if (launched && times->delay_ns != PWRTRACE_UNKNOWN_I32)
		told->begin_ns = told->enqueue_ns + (uint64_t)(int64_t)times->delay_ns;
	if (times->duration_ns == PWRTRACE_LONG_U32)
		take_long(loader, told);
	else if (told->begin_ns != PWRTRACE_UNKNOWN_U64 &&
		 times->duration_ns != PWRTRACE_UNKNOWN_U32)
		told->end_ns = told->begin_ns + times->duration_ns;
	add_execution(loader, told);
}

/* Adds an execution of schema 1, which has times by the device's clock beside the converted ones.
 */
static void add_raw(struct loader *loader, struct told_execution *told, uint64_t raw_begin_ns,
	uint64_t raw_end_ns)
{
	if (raw_begin_ns == PWRTRACE_UNKNOWN_U64 || raw_end_ns == PWRTRACE_UNKNOWN_U64) {
		told->conversion = CLOCKS_UNCONVERTED;
	} else if (told->begin_ns == PWRTRACE_UNKNOWN_U64 || told->end_ns == PWRTRACE_UNKNOWN_U64) {
		told->conversion = CLOCKS_RAW;
		told->begin_ns = raw_begin_ns;
		told->end_ns = raw_end_ns;
	} else if (told->begin_ns != raw_begin_ns) {
		told->conversion =
			clocks_conversion_of(loader->clocks, told->begin_ns - raw_begin_ns);
	}
	add_execution(loader, told);
}

/* ---- kernels ---- */

void take_kernel_launch(
	struct loader *loader, unsigned trace, const struct pwrtrace_kernel_launch *e)
{
	const struct launch_record launch = {
		e->enqueue_ns, e->return_ns, e->layer, known_stack(e->stack)};
	struct model_execution *execution;
	struct model_origin origin;
	uint32_t index;

	if (!join_launch(loader->join, loader_process(loader, trace, e->process), e->correlation,
		    &launch, &index) ||
		index >= loader->model->executions->len)
		return;
	execution = mapped_array_at(loader->model->executions, index);
	execution->launched_ns = launch.launched_ns;
	((struct launch_call *)mapped_array_at(loader->calls, index))->length_ns =
		length_ns(launch.launched_ns, launch.return_ns);
	origin = *model_origin_of(loader->model, execution);
	origin.layer = launch.layer;
	origin.stack = launch.stack;
	execution->origin = origins_number(loader->model->origins, &origin);
}

static uint32_t known_kernel(uint32_t kernel)
{
	return kernel < TABLE_LIMIT ? kernel : 0;
}

void take_kernel_exec(struct loader *loader, unsigned trace, const struct pwrtrace_kernel_exec *e)
{
	uint32_t process = loader_process(loader, trace, e->process);

	join_forget_launch(loader->join, process, e->correlation);
	add_short(loader,
		&(struct told_execution){.origin = {.process = process,
						 .stream = e->stream,
						 .kernel = known_kernel(e->kernel),
						 .layer = e->layer,
						 .stack = known_stack(e->stack)},
			.correlation = e->correlation,
			.tid = e->tid,
			.enqueue_ns = e->enqueue_ns},
		e->anchor, &(struct short_times){e->call_ns, e->delay_ns, e->duration_ns});
}

void take_kernel_exec_1(
	struct loader *loader, unsigned trace, const struct pwrtrace_kernel_exec_1 *e)
{
	uint32_t process = loader_process(loader, trace, e->process);
	struct launch_record launch = {PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, 0, 0};

	join_execution(
		loader->join, process, e->correlation, loader->model->executions->len, &launch);
	add_raw(loader,
		&(struct told_execution){.origin = {.process = process,
						 .stream = e->stream,
						 .kernel = known_kernel(e->kernel),
						 .layer = launch.layer,
						 .stack = launch.stack},
			.correlation = e->correlation,
			.tid = PWRTRACE_UNKNOWN_U32,
			.enqueue_ns = launch.launched_ns,
			.return_ns = launch.return_ns,
			.begin_ns = e->begin_ns,
			.end_ns = e->end_ns},
		e->raw_begin_ns, e->raw_end_ns);
}

void take_in_flight(struct loader *loader, unsigned trace, const struct pwrtrace_in_flight *e)
{
	uint32_t process = loader_process(loader, trace, e->process);

	if (e->count == PWRTRACE_UNKNOWN_U64)
		return;
	if (process >= loader->in_flight->len)
		g_array_set_size(loader->in_flight, process + 1);
	g_array_index(loader->in_flight, struct in_flight, process) =
		(struct in_flight){e->time_ns, e->count};
}

/* ---- copies, fills and mappings ---- */

static uint32_t memory_index(
	struct loader *loader, const char *name, const char *kind, uint64_t bytes)
{
	char *key = g_strdup_printf("%s %s %" G_GUINT64_FORMAT, name, kind, bytes);
	gpointer found;

	if (g_hash_table_lookup_extended(loader->memory_index, key, NULL, &found)) {
		g_free(key);
	} else {
		struct model_memory memory = {
			loader_text(loader, name), loader_text(loader, kind), bytes};

		found = GUINT_TO_POINTER(loader->model->memories->len);
		g_array_append_val(loader->model->memories, memory);
		g_hash_table_insert(loader->memory_index, key, found);
	}
	return MODEL_IS_MEMORY | GPOINTER_TO_UINT(found);
}

void take_memory_exec(struct loader *loader, unsigned trace, const struct pwrtrace_memory_exec *e)
{
	add_short(loader,
		&(struct told_execution){
			.origin = {.process = loader_process(loader, trace, e->process),
				.stream = e->stream,
				.kernel = memory_index(loader, e->name, e->kind, e->bytes),
				.layer = e->layer,
				.stack = known_stack(e->stack)},
			.correlation = e->correlation,
			.tid = e->tid,
			.enqueue_ns = e->enqueue_ns},
		e->anchor, &(struct short_times){e->call_ns, e->delay_ns, e->duration_ns});
}

void take_memory_exec_1(
	struct loader *loader, unsigned trace, const struct pwrtrace_memory_exec_1 *e)
{
	add_raw(loader,
		&(struct told_execution){
			.origin = {.process = loader_process(loader, trace, e->process),
				.stream = e->stream,
				.kernel = memory_index(loader, e->name, e->kind, e->bytes),
				.layer = e->layer,
				.stack = known_stack(e->stack)},
			.correlation = e->correlation,
			.tid = PWRTRACE_UNKNOWN_U32,
			.enqueue_ns = e->enqueue_ns,
			.return_ns = e->return_ns,
			.begin_ns = e->begin_ns,
			.end_ns = e->end_ns},
		e->raw_begin_ns, e->raw_end_ns);
}

/* ---- graphs ---- */

/* Counts the launch of a graph.  unit: it was timed as a whole.  Returns what the origin of its
 * execution says of it. */
static uint32_t count_graph(
	struct loader *loader, unsigned trace, uint32_t process, uint32_t id, bool unit)
{
	struct model_graph *graph =
		table_slot(loader_process_at(loader, trace, process)->graphs, id);

	if (graph)
		unit ? graph->units++ : graph->launches++;
	return MODEL_IS_GRAPH | (graph ? id : 0);
}

void take_graph_launch(struct loader *loader, unsigned trace, const struct pwrtrace_graph_launch *e)
{
	bool unit = e->duration_ns != PWRTRACE_UNKNOWN_U32;
	uint32_t graph = count_graph(loader, trace, e->process, e->graph, unit);

	if (unit)
		add_short(loader,
			&(struct told_execution){
				.origin = {.process = loader_process(loader, trace, e->process),
					.stream = e->stream,
					.kernel = graph,
					.layer = e->layer,
					.stack = known_stack(e->stack)},
				.correlation = e->correlation,
				.tid = e->tid,
				.enqueue_ns = e->enqueue_ns},
			e->anchor, &(struct short_times){e->call_ns, e->delay_ns, e->duration_ns});
}

void take_graph_launch_1(
	struct loader *loader, unsigned trace, const struct pwrtrace_graph_launch_1 *e)
{
	bool unit = e->begin_ns != PWRTRACE_UNKNOWN_U64 || e->end_ns != PWRTRACE_UNKNOWN_U64 ||
		    e->raw_begin_ns != PWRTRACE_UNKNOWN_U64;
	uint32_t graph = count_graph(loader, trace, e->process, e->graph, unit);

	if (unit)
		add_raw(loader,
			&(struct told_execution){
				.origin = {.process = loader_process(loader, trace, e->process),
					.stream = e->stream,
					.kernel = graph,
					.layer = e->layer,
					.stack = known_stack(e->stack)},
				.correlation = e->correlation,
				.tid = PWRTRACE_UNKNOWN_U32,
				.enqueue_ns = e->enqueue_ns,
				.return_ns = e->return_ns,
				.begin_ns = e->begin_ns,
				.end_ns = e->end_ns},
			e->raw_begin_ns, e->raw_end_ns);
}

/* ---- replays ---- */

void take_replay_begin(struct loader *loader, unsigned trace, const struct pwrtrace_replay_begin *e)
{
	struct model_replay replay = {.span = {e->begin_ns, UINT64_MAX},
		.process = loader_process(loader, trace, e->process),
		.reason = loader_text(loader, "its process ended meanwhile")};

	g_array_append_val(loader->model->replays, replay);
}

void take_replay(struct loader *loader, unsigned trace, const struct pwrtrace_replay *e)
{
	struct model_replay replay = {.span = {e->begin_ns, MAX(e->begin_ns, e->end_ns)},
		.count = e->count,
		.process = loader_process(loader, trace, e->process),
		.kernel = e->kernel,
		.reason = loader_text(loader, e->reason),
		.needed_ns = e->needed_ns == PWRTRACE_UNKNOWN_U64 ? 0 : e->needed_ns};

	g_array_append_val(loader->model->replays, replay);
}
