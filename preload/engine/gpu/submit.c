/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/submit.h"

#include <unistd.h>

#include "preload/common/launch_path.h"
#include "preload/common/layer.h"
#include "preload/engine/core/launch_clock.h"

#define RING_ENTRIES (1 << 17)

struct ring submit_ring;
static bool has_ring;
static uint64_t refused[GPU_WORK_KINDS];
static const struct engine_host *layers_host;
READ_AT_LAUNCH const uint64_t *submit_layers_ended = NULL;
__thread struct layer_stack *submit_layers;

uint32_t submit_last_correlation;
__thread uint32_t submit_tid;

void submit_init(void)
{
	has_ring = ring_init(&submit_ring, sizeof(struct gpu_work), RING_ENTRIES);
}

void submit_attach(const struct engine_host *host)
{
	layers_host = host;
	submit_layers_ended = host->layers_ended;
}

uint32_t submit_find_tid(void)
{
	submit_tid = (uint32_t)gettid();
	return submit_tid;
}

void submit_release(const struct gpu_work *work)
{
	if (gpu_is_device_work(work->kind) && work->call->api->release)
		work->call->api->release(work->token);
	else if (work->kind == GPU_WORK_RELEASE_STREAM)
		work->call->api->release_stream(work->release_stream.handle);
}

APART struct gpu_work *submit_refuse(enum gpu_work_kind kind)
{
	__atomic_fetch_add(&refused[kind], 1, __ATOMIC_RELAXED);
	return NULL;
}

void gpu_submit(const struct gpu_work *work)
{
	struct gpu_work *room = gpu_submit_begin(work->kind);

	if (room) {
		*room = *work;
		gpu_submit_end(room);
	} else {
		submit_release(work);
	}
}

static void submit_range(enum gpu_work_kind kind, uint32_t layer, uint64_t time_ns, double payload)
{
	gpu_submit(&(struct gpu_work){.kind = kind,
		.tid = gpu_tid(),
		.place.layer = layer,
		.enqueue_ns = time_ns,
		.push.payload = payload});
}

APART void submit_pushes(struct layer_stack *stack)
{
	for (; stack->written < stack->depth; stack->written++) {
		const struct layer_frame *frame = &stack->frames[stack->written];

		submit_range(GPU_WORK_PUSH, frame->layer, frame->begin_ns, frame->payload);
	}
}

APART uint32_t submit_update_layers(void)
{
	if (!layers_host)
		return 0;
	submit_layers = layers_host->layer_stack();
	return gpu_current_layer();
}

void submit_layer_popped(uint32_t layer, uint64_t end_ns)
{
	submit_range(GPU_WORK_POP, layer, end_ns, 0);
}

bool submit_pop(struct gpu_work *work)
{
	if (!ring_pop(&submit_ring, work))
		return false;
	work->enqueue_ns = launch_clock_ns(work->enqueue_ns);
	work->return_ns = launch_clock_ns(work->return_ns);
	return true;
}

uint64_t submit_refused(enum gpu_work_kind kind)
{
	return __atomic_exchange_n(&refused[kind], 0, __ATOMIC_RELAXED);
}

const char *submit_why_refused(void)
{
	return has_ring ? "the launching threads were faster than the collector"
			: "there was no memory for what launches hand over";
}

void submit_after_fork(void)
{
	ring_reset(&submit_ring);
	submit_tid = 0;
}
