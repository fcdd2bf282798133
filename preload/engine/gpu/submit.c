/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/submit.h"

#include <unistd.h>

#include "preload/common/layer.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/ring.h"

#define RING_ENTRIES (1 << 17)

static struct ring ring;
static bool has_ring;
static uint64_t refused;
static const struct engine_host *layers_host;
static __thread uint32_t tid;

void submit_init(void)
{
	has_ring = ring_init(&ring, sizeof(struct gpu_work), RING_ENTRIES);
}

void submit_attach(const struct engine_host *host)
{
	layers_host = host;
}

uint32_t gpu_new_correlation(void)
{
	static uint32_t last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

uint32_t gpu_tid(void)
{
	if (!tid)
		tid = (uint32_t)gettid();
	return tid;
}

void submit_release(const struct gpu_work *work)
{
	if (gpu_is_device_work(work->kind) && work->call->api->release)
		work->call->api->release(work->token);
	else if (work->kind == GPU_WORK_RELEASE_STREAM)
		work->call->api->release_stream(work->release_stream.handle);
}

void gpu_submit(const struct gpu_work *work)
{
	if (ring_push(&ring, work))
		return;
	__atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
	submit_release(work);
}

static void submit_range(enum gpu_work_kind kind, uint32_t layer, uint64_t time_ns, double payload)
{
	gpu_submit(&(struct gpu_work){.kind = kind,
		.tid = gpu_tid(),
		.place.layer = layer,
		.enqueue_ns = time_ns,
		.push.payload = payload});
}

uint32_t gpu_current_layer(void)
{
	struct layer_stack *stack = layers_host ? layers_host->layer_stack() : NULL;
	unsigned depth = stack ? stack->depth : 0;

	if (!depth)
		return 0;
	for (unsigned i = 0; i < depth; i++) {
		struct layer_frame *frame = &stack->frames[i];

		if (frame->written)
			continue;
		frame->written = true;
		submit_range(GPU_WORK_PUSH, frame->layer, frame->begin_ns, frame->payload);
	}
	return stack->frames[depth - 1].layer;
}

struct gpu_place gpu_current_place(void)
{
	return (struct gpu_place){gpu_current_layer(), callstack_current()};
}

void submit_layer_popped(uint32_t layer, uint64_t end_ns)
{
	submit_range(GPU_WORK_POP, layer, end_ns, 0);
}

bool submit_pop(struct gpu_work *work)
{
	return ring_pop(&ring, work);
}

uint64_t submit_refused(const char **why)
{
	*why = has_ring ? "the launching threads were faster than the collector"
			: "there was no memory for what launches hand over";
	return __atomic_exchange_n(&refused, 0, __ATOMIC_RELAXED);
}

void submit_after_fork(void)
{
	ring_reset(&ring);
	tid = 0;
}
