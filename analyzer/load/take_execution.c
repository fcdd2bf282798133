/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <errno.h>

#include "analyzer/load/join.h"
#include "analyzer/print/message.h"

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

/* Counts an execution for which there is no room, with an error message for the first. */
static void leave_out(struct loader *loader)
{
	if (!loader->left_out++)
		message_error("no room for more than %u executions in %s: %s; set TMPDIR to a "
			      "directory with more room; the later ones are left out",
			loader->model->executions->len, mapped_array_directory(),
			g_strerror(errno));
}

/* Adds an execution.  raw: its times by the device's clock, which are kept where they are known and
 * differ from span. */
static void add_execution(struct loader *loader, const struct model_origin *origin,
	uint64_t launched_ns, const struct model_span *span, const struct raw_times *raw,
	uint32_t correlation, uint64_t returned_ns)
{
	struct model_execution added = {.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.launched_ns = launched_ns,
		.origin = origins_number(loader->model->origins, origin)};
	struct launch_call call = {correlation, length_ns(launched_ns, returned_ns)};
	struct model *model = loader->model;
	guint index = model->executions->len;

	if (added.begin_ns == PWRTRACE_UNKNOWN_U64 || added.end_ns == PWRTRACE_UNKNOWN_U64 ||
		added.end_ns < added.begin_ns)
		added.begin_ns = added.end_ns = 0;
	if (raw->begin_ns == PWRTRACE_UNKNOWN_U64 || raw->end_ns == PWRTRACE_UNKNOWN_U64 ||
		(raw->begin_ns == span->begin_ns && raw->end_ns == span->end_ns))
		raw = NULL;
	/* What follows the first execution that is left out is left out too. */
	if (loader->left_out || (raw && !mapped_array_lengthen(loader->raw_times, index + 1)) ||
		!mapped_array_append(loader->calls, &call) ||
		!mapped_array_append(model->executions, &added)) {
		leave_out(loader);
		return;
	}
	if (raw)
		*(struct raw_times *)mapped_array_at(loader->raw_times, index) = *raw;
}

void take_kernel_launch(
	struct loader *loader, unsigned trace, const struct pwrtrace_kernel_launch *e)
{
	const struct launch_record launch = {
		e->enqueue_ns, e->return_ns, e->layer, known_stack(e->stack)};
	struct model_execution *execution;
	struct model_origin origin;
	uint32_t index;

	if (!join_launch(loader->join, loader_process(loader, trace, e->pid), e->correlation,
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

void take_kernel_exec(struct loader *loader, unsigned trace, const struct pwrtrace_kernel_exec *e)
{
	uint32_t process = loader_process(loader, trace, e->pid);
	struct launch_record launch = {PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, 0, 0};

	join_execution(
		loader->join, process, e->correlation, loader->model->executions->len, &launch);
	add_execution(loader,
		&(struct model_origin){.process = process,
			.stream = e->stream,
			.kernel = e->kernel < TABLE_LIMIT ? e->kernel : 0,
			.layer = launch.layer,
			.stack = launch.stack},
		launch.launched_ns, &(struct model_span){e->begin_ns, e->end_ns},
		&(struct raw_times){e->raw_begin_ns, e->raw_end_ns}, e->correlation,
		launch.return_ns);
}

static uint32_t memory_index(struct loader *loader, const struct pwrtrace_memory_exec *e)
{
	char *key = g_strdup_printf("%s %s %" G_GUINT64_FORMAT, e->name, e->kind, e->bytes);
	gpointer found;

	if (g_hash_table_lookup_extended(loader->memory_index, key, NULL, &found)) {
		g_free(key);
	} else {
		struct model_memory memory = {
			loader_text(loader, e->name), loader_text(loader, e->kind), e->bytes};

		found = GUINT_TO_POINTER(loader->model->memories->len);
		g_array_append_val(loader->model->memories, memory);
		g_hash_table_insert(loader->memory_index, key, found);
	}
	return MODEL_IS_MEMORY | GPOINTER_TO_UINT(found);
}

void take_memory_exec(struct loader *loader, unsigned trace, const struct pwrtrace_memory_exec *e)
{
	add_execution(loader,
		&(struct model_origin){.process = loader_process(loader, trace, e->pid),
			.stream = e->stream,
			.kernel = memory_index(loader, e),
			.layer = e->layer,
			.stack = known_stack(e->stack)},
		e->enqueue_ns, &(struct model_span){e->begin_ns, e->end_ns},
		&(struct raw_times){e->raw_begin_ns, e->raw_end_ns}, e->correlation, e->return_ns);
}

void take_graph_launch(struct loader *loader, unsigned trace, const struct pwrtrace_graph_launch *e)
{
	struct model_graph *graph =
		table_slot(loader_process_at(loader, trace, e->pid)->graphs, e->graph);
	bool unit = e->begin_ns != PWRTRACE_UNKNOWN_U64 || e->end_ns != PWRTRACE_UNKNOWN_U64 ||
		    e->raw_begin_ns != PWRTRACE_UNKNOWN_U64;

	if (graph)
		unit ? graph->units++ : graph->launches++;
	if (!unit)
		return;
	add_execution(loader,
		&(struct model_origin){.process = loader_process(loader, trace, e->pid),
			.stream = e->stream,
			.kernel = MODEL_IS_GRAPH | (graph ? e->graph : 0),
			.layer = e->layer,
			.stack = known_stack(e->stack)},
		e->enqueue_ns, &(struct model_span){e->begin_ns, e->end_ns},
		&(struct raw_times){e->raw_begin_ns, e->raw_end_ns}, e->correlation, e->return_ns);
}

void take_replay_begin(struct loader *loader, unsigned trace, const struct pwrtrace_replay_begin *e)
{
	struct model_replay replay = {.span = {e->begin_ns, UINT64_MAX},
		.process = loader_process(loader, trace, e->pid),
		.reason = loader_text(loader, "its process ended meanwhile")};

	g_array_append_val(loader->model->replays, replay);
}

void take_replay(struct loader *loader, unsigned trace, const struct pwrtrace_replay *e)
{
	struct model_replay replay = {.span = {e->begin_ns, MAX(e->begin_ns, e->end_ns)},
		.count = e->count,
		.process = loader_process(loader, trace, e->pid),
		.kernel = e->kernel,
		.reason = loader_text(loader, e->reason)};

	g_array_append_val(loader->model->replays, replay);
}
