/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/gpu_write.h"

#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/definitions.h"

const struct gpu_times gpu_times_unknown = {
	PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64};

void gpu_write_launch(const struct gpu_work *work)
{
	tp_kernel_launch(&(struct pwrtrace_kernel_launch){.pid = process_pid,
		.tid = work->tid,
		.correlation = work->correlation,
		.kernel = work->kernel.id,
		.stream = work->stream,
		.layer = work->place.layer,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.stack = callstack_in_trace(work->place.stack)});
}

void gpu_write_sync(const struct gpu_work *work)
{
	tp_sync(&(struct pwrtrace_sync){.pid = process_pid,
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
	tp_dependency(&(struct pwrtrace_dependency){.pid = process_pid,
		.correlation = correlation,
		.after_correlation = after_correlation,
		.kind = kind});
}

static void write_kernel(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw)
{
	tp_kernel_exec(&(struct pwrtrace_kernel_exec){.pid = process_pid,
		.correlation = work->correlation,
		.kernel = work->kernel.id,
		.stream = work->stream,
		.submit_ns = host->submit_ns,
		.begin_ns = host->begin_ns,
		.end_ns = host->end_ns,
		.raw_begin_ns = raw->begin_ns,
		.raw_end_ns = raw->end_ns,
		.name = gpu_name(gpu_kernel(work->kernel.id)->name)});
}

static void write_memory(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw)
{
	tp_memory_exec(&(struct pwrtrace_memory_exec){.pid = process_pid,
		.tid = work->tid,
		.correlation = work->correlation,
		.stream = work->stream,
		.layer = work->place.layer,
		.bytes = work->memory.bytes,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.submit_ns = host->submit_ns,
		.begin_ns = host->begin_ns,
		.end_ns = host->end_ns,
		.raw_begin_ns = raw->begin_ns,
		.raw_end_ns = raw->end_ns,
		.kind = work->memory.kind,
		.name = work->call->name,
		.stack = callstack_in_trace(work->place.stack)});
}

static void write_graph(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw)
{
	tp_graph_launch(&(struct pwrtrace_graph_launch){.pid = process_pid,
		.tid = work->tid,
		.correlation = work->correlation,
		.graph = work->graph.id,
		.stream = work->stream,
		.layer = work->place.layer,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.begin_ns = host->begin_ns,
		.end_ns = host->end_ns,
		.stack = callstack_in_trace(work->place.stack),
		.raw_begin_ns = raw->begin_ns,
		.raw_end_ns = raw->end_ns});
}

static const struct {
	void (*write)(const struct gpu_work *work, const struct gpu_times *host,
		const struct gpu_times *raw);
	const char *event;
} executions[] = {
	[GPU_WORK_KERNEL] = {write_kernel, "kernel_exec"},
	[GPU_WORK_MEMORY] = {write_memory, "memory_exec"},
	[GPU_WORK_GRAPH] = {write_graph, "graph_launch"},
};

void gpu_write_execution(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw)
{
	executions[work->kind].write(work, host, raw);
}

const char *gpu_execution_event(enum gpu_work_kind kind)
{
	return executions[kind].event;
}
