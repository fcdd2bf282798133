/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/submit.h"

#include <unistd.h>

#include "preload/common/launch_path.h"
#include "preload/common/layer.h"

#define RING_ENTRIES (1 << 17)

struct ring submit_ring;
static bool has_ring;
static uint64_t refused[GPU_WORK_KINDS];
static const struct engine_host *layers_host;
READ_AT_LAUNCH static const uint64_t *layers_ended = NULL; /* that of layers_host */
__thread struct layer_stack *submit_layers;                /* layer_stack of layers_host */

uint32_t submit_last_correlation;
__thread uint32_t submit_tid;

void submit_init(void)
{
	has_ring = ring_init(&submit_ring, sizeof(struct gpu_work), RING_ENTRIES);
}

void submit_attach(const struct engine_host *host)
{
	layers_host = host;
	layers_ended = host->layers_ended;
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

EACH_LAUNCH struct gpu_work *gpu_submit_begin(enum gpu_work_kind kind)
{
	struct gpu_work *room = ring_claim(&submit_ring);

	if (!room)
		__atomic_fetch_add(&refused[kind], 1, __ATOMIC_RELAXED);
	return room;
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

static APART void submit_pushes(struct layer_stack *stack)
{
	for (; stack->written < stack->depth; stack->written++) {
		const struct layer_frame *frame = &stack->frames[stack->written];

		submit_range(GPU_WORK_PUSH, frame->layer, frame->begin_ns, frame->payload);
	}
}

static APART uint32_t update_layers(void)
{
	if (!layers_host)
		return 0;
	submit_layers = layers_host->layer_stack();
	return gpu_current_layer();
}

EACH_LAUNCH uint32_t gpu_current_layer(void)
{
	struct layer_stack *stack = submit_layers;

	if (!stack || stack->ended != __atomic_load_n(layers_ended, __ATOMIC_ACQUIRE))
		return update_layers();
	if (!stack->depth)
		return 0;
	if (UNLIKELY(stack->written < stack->depth))
		submit_pushes(stack);
	return stack->frames[stack->depth - 1].layer;
}

void submit_layer_popped(uint32_t layer, uint64_t end_ns)
{
	submit_range(GPU_WORK_POP, layer, end_ns, 0);
}

bool submit_pop(struct gpu_work *work)
{
	return ring_pop(&submit_ring, work);
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
