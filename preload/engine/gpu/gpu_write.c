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
		.kernel = work->kernel,
		.stream = work->stream,
		.layer = work->layer,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.stack = callstack_in_trace(work->stack)});
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
		.awaits = work->call->kind ? work->call->kind : "nothing"});
}

void gpu_write_dependency(uint32_t correlation, uint32_t after_correlation, const char *kind)
{
	tp_dependency(&(struct pwrtrace_dependency){.pid = process_pid,
		.correlation = correlation,
		.after_correlation = after_correlation,
		.kind = kind});
}

void gpu_write_kernel(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw)
{
	tp_kernel_exec(&(struct pwrtrace_kernel_exec){.pid = process_pid,
		.correlation = work->correlation,
		.kernel = work->kernel,
		.stream = work->stream,
		.submit_ns = host->submit_ns,
		.begin_ns = host->begin_ns,
		.end_ns = host->end_ns,
		.raw_begin_ns = raw->begin_ns,
		.raw_end_ns = raw->end_ns,
		.name = gpu_name(gpu_kernel(work->kernel)->name)});
}

void gpu_write_memory(const struct gpu_work *work, const char *kind, const struct gpu_times *host,
	const struct gpu_times *raw)
{
	tp_memory_exec(&(struct pwrtrace_memory_exec){.pid = process_pid,
		.tid = work->tid,
		.correlation = work->correlation,
		.stream = work->stream,
		.layer = work->layer,
		.bytes = work->bytes,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.submit_ns = host->submit_ns,
		.begin_ns = host->begin_ns,
		.end_ns = host->end_ns,
		.raw_begin_ns = raw->begin_ns,
		.raw_end_ns = raw->end_ns,
		.kind = kind,
		.name = work->call->name,
		.stack = callstack_in_trace(work->stack)});
}

void gpu_write_graph(const struct gpu_work *work, uint32_t graph, const struct gpu_times *host,
	const struct gpu_times *raw)
{
	tp_graph_launch(&(struct pwrtrace_graph_launch){.pid = process_pid,
		.tid = work->tid,
		.correlation = work->correlation,
		.graph = graph,
		.stream = work->stream,
		.layer = work->layer,
		.enqueue_ns = work->enqueue_ns,
		.return_ns = work->return_ns,
		.begin_ns = host->begin_ns,
		.end_ns = host->end_ns,
		.stack = callstack_in_trace(work->stack),
		.raw_begin_ns = raw->begin_ns,
		.raw_end_ns = raw->end_ns});
}

const char *gpu_work_event(const struct gpu_work *work)
{
	static const char *const events[] = {
		[GPU_WORK_KERNEL] = "kernel_exec",
		[GPU_WORK_MEMORY] = "memory_exec",
		[GPU_WORK_GRAPH] = "graph_launch",
	};

	return work->kind <= GPU_WORK_GRAPH ? events[work->kind] : "sync";
}
