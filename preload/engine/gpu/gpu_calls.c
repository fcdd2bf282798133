/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/gpu_calls.h"

#include <stdlib.h>

#include "preload/engine/core/lost.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/submit.h"

/* More than a device's queues and a profiler's buffers hold between two flushes. */
#define CALLS_MAX (1 << 17)

struct gpu_recorded *gpu_calls_find(struct gpu_calls *calls, uint32_t correlation)
{
	struct gpu_recorded *call = calls->calls ? &calls->calls[correlation % CALLS_MAX] : NULL;

	return call && call->work.call && call->work.correlation == correlation ? call : NULL;
}

void gpu_calls_remember(struct gpu_calls *calls, const struct gpu_work *work)
{
	struct gpu_recorded *call;

	if (!calls->calls)
		calls->calls = calloc(CALLS_MAX, sizeof(*calls->calls));
	if (!calls->calls)
		return;
	call = &calls->calls[work->correlation % CALLS_MAX];
	if (call->pending)
		lost_write(gpu_work_event(&call->work), calls->unrecorded, 1);
	calls->pending += !call->pending;
	free(call->told.of);
	*call = (struct gpu_recorded){.work = *work, .pending = true};
}

struct gpu_work gpu_calls_work(struct gpu_calls *calls, const struct gpu_call *fallback,
	enum gpu_work_kind kind, uint32_t correlation)
{
	struct gpu_recorded *call = gpu_calls_find(calls, correlation);
	struct gpu_work work = {.call = fallback,
		.enqueue_ns = PWRTRACE_UNKNOWN_U64,
		.return_ns = PWRTRACE_UNKNOWN_U64};

	if (call) {
		work = call->work;
		calls->pending -= call->pending;
		call->pending = false;
	}
	work.kind = kind;
	work.correlation = gpu_new_correlation();
	return work;
}

void gpu_calls_write_graph(struct gpu_calls *calls, uint32_t correlation, uint32_t stream)
{
	struct gpu_recorded *call = gpu_calls_find(calls, correlation);
	struct gpu_work work;

	if (!call || call->graph_written)
		return;
	call->graph_written = true;
	work = call->work;
	work.correlation = gpu_new_correlation();
	work.stream = stream;
	gpu_write_graph(&work, work.kernel, &gpu_times_unknown, &gpu_times_unknown);
}

void gpu_calls_count_unfinished(struct gpu_calls *calls)
{
	uint64_t count[GPU_WORK_GRAPH + 1] = {0};

	for (uint32_t i = 0; calls->calls && i < CALLS_MAX; i++) {
		if (calls->calls[i].pending)
			count[calls->calls[i].work.kind]++;
		calls->calls[i].pending = false;
	}
	calls->pending = 0;
	for (int kind = 0; kind <= GPU_WORK_GRAPH; kind++)
		lost_write(gpu_work_event(&(struct gpu_work){.kind = kind}),
			"unfinished at the end of the process", count[kind]);
}
