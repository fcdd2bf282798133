/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/gpu_write.h"

#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/definitions.h"

const struct gpu_span gpu_span_unknown = {PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, 0};

void gpu_write_sync(const struct gpu_work *work)
{
	tp_sync(&(struct pwrtrace_sync){.process = process_number,
		.tid = work->tid,
		.correlation = work->correlation,
		.stream = work->stream,
		.begin_ns = work->enqueue_ns,
		.end_ns = work->return_ns,
		.name = work->call->name,
		/* Not "", which babeltrace2 2.0 prints as what stood there before. */
		.awaits = work->call->awaits ? work->call->awaits : "nothing"});
}

void gpu_write_dependency(uint32_t correlation, uint32_t after_correlation, const char *kind)
{
	tp_dependency(&(struct pwrtrace_dependency){.process = process_number,
		.correlation = correlation,
		.after_correlation = after_correlation,
		.kind = kind});
}

static void write_launch(const struct gpu_work *work)
{
	tp_kernel_launch(&(struct pwrtrace_kernel_launch){.process = process_number,
		.tid = work->tid,
		.correlation = work->correlation,
		.kernel = work->kernel.id,
		.stream = work->stream,
		.layer = work->place.layer,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.stack = callstack_in_trace(work->place.stack)});
}

/* The fields of time that all executions have. */
struct short_times {
	uint32_t call_ns;
	int32_t delay_ns;
	uint32_t duration_ns;
};

static bool fits(uint64_t ns)
{
	return ns < PWRTRACE_LONG_U32;
}

/* Returns the fields of an execution's times.  Those that have no room there are written, as
 * long_times. */
static struct short_times write_times(const struct gpu_work *work, const struct gpu_span *span)
{
	static const struct short_times elsewhere = {
		PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_I32, PWRTRACE_LONG_U32};
	uint64_t call_ns = work->return_ns - work->enqueue_ns;
	int64_t delay_ns = (int64_t)(span->begin_ns - work->enqueue_ns);
	bool launched = work->enqueue_ns != PWRTRACE_UNKNOWN_U64 && fits(call_ns);

	if (launched && span->begin_ns == PWRTRACE_UNKNOWN_U64)
		return (struct short_times){
			(uint32_t)call_ns, PWRTRACE_UNKNOWN_I32, PWRTRACE_UNKNOWN_U32};
	if (launched && delay_ns > INT32_MIN && delay_ns <= INT32_MAX &&
		fits(span->end_ns - span->begin_ns))
		return (struct short_times){(uint32_t)call_ns, (int32_t)delay_ns,
			(uint32_t)(span->end_ns - span->begin_ns)};
	tp_long_times(&(struct pwrtrace_long_times){.process = process_number,
		.correlation = work->correlation,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns});
	return elsewhere;
}

static void write_kernel(
	const struct gpu_work *work, uint32_t anchor, const struct short_times *times)
{
	tp_kernel_exec(&(struct pwrtrace_kernel_exec){.process = process_number,
		.tid = work->tid,
		.correlation = work->correlation,
		.kernel = work->kernel.id,
		.stream = work->stream,
		.layer = work->place.layer,
		.stack = callstack_in_trace(work->place.stack),
		.anchor = anchor,
		.enqueue_ns = work->enqueue_ns,
		.call_ns = times->call_ns,
		.delay_ns = times->delay_ns,
		.duration_ns = times->duration_ns,
		.name = gpu_short_name(gpu_kernel(work->kernel.id)->name)});
}

static void write_memory(
	const struct gpu_work *work, uint32_t anchor, const struct short_times *times)
{
	tp_memory_exec(&(struct pwrtrace_memory_exec){.process = process_number,
		.tid = work->tid,
		.correlation = work->correlation,
		.stream = work->stream,
		.layer = work->place.layer,
		.stack = callstack_in_trace(work->place.stack),
		.anchor = anchor,
		.bytes = work->memory.bytes,
		.enqueue_ns = work->enqueue_ns,
		.call_ns = times->call_ns,
		.delay_ns = times->delay_ns,
		.duration_ns = times->duration_ns,
		.kind = work->memory.kind,
		.name = work->call->name});
}

static void write_graph(
	const struct gpu_work *work, uint32_t anchor, const struct short_times *times)
{
	tp_graph_launch(&(struct pwrtrace_graph_launch){.process = process_number,
		.tid = work->tid,
		.correlation = work->correlation,
		.graph = work->graph.id,
		.stream = work->stream,
		.layer = work->place.layer,
		.stack = callstack_in_trace(work->place.stack),
		.anchor = anchor,
		.enqueue_ns = work->enqueue_ns,
		.call_ns = times->call_ns,
		.delay_ns = times->delay_ns,
		.duration_ns = times->duration_ns});
}

static const struct {
	void (*write)(
		const struct gpu_work *work, uint32_t anchor, const struct short_times *times);
	const char *event;
} executions[] = {
	[GPU_WORK_KERNEL] = {write_kernel, "kernel_exec"},
	[GPU_WORK_MEMORY] = {write_memory, "memory_exec"},
	[GPU_WORK_GRAPH] = {write_graph, "graph_launch"},
};

static void (*observe_kernel)(const struct gpu_work *work, uint64_t time_ns);

void gpu_observe_kernels(void (*observer)(const struct gpu_work *work, uint64_t time_ns))
{
	observe_kernel = observer;
}

void gpu_write_execution(const struct gpu_work *work, const struct gpu_span *span)
{
	struct short_times times = write_times(work, span);

	if (observe_kernel && work->kind == GPU_WORK_KERNEL &&
		span->begin_ns != PWRTRACE_UNKNOWN_U64)
		observe_kernel(work, span->end_ns - span->begin_ns);
	executions[work->kind].write(work, span->anchor, &times);
}

void gpu_write_unfinished(const struct gpu_work *work)
{
	if (work->kind == GPU_WORK_KERNEL)
		write_launch(work);
	else
		lost_write(
			gpu_execution_event(work->kind), "unfinished at the end of the process", 1);
}

const char *gpu_execution_event(enum gpu_work_kind kind)
{
	return executions[kind].event;
}
