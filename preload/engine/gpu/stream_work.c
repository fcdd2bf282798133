/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/stream_work.h"

#include <string.h>

#include "preload/common/clock.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/graphs.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

__thread uint32_t stream_correlation;

bool stream_is_of_thread(const char *function)
{
	static const char *const ends[] = {"_ptsz", "_ptds", "_spt"};
	size_t length = strlen(function);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end_length = strlen(ends[i]);

		if (length > end_length && strcmp(function + length - end_length, ends[i]) == 0)
			return true;
	}
	return false;
}

void *stream_named(const char *function, void *stream)
{
	return !stream && stream_is_of_thread(function) ? STREAM_PER_THREAD : stream;
}

/* Describes a stream; home: where its events live, which have a clock of their own, or none. */
static struct gpu_stream stream_in(
	const struct stream_api *api, uint32_t device, struct event_home home)
{
	struct gpu_stream in = {.device = device, .clock = event_clock(home)};

	if (api->events->of_contexts)
		in.context = home.id ? (uint32_t)home.id : in.clock;
	return in;
}

/* Returns the id of a stream.  Default streams have no handle of their own: each context or device
 * has one, and each thread in it.  A handle may be reused in another context. */
static uint32_t stream_id(
	const struct stream_api *api, void *stream, const struct gpu_stream *in, void *default_of)
{
	uint32_t id;

	if (stream == STREAM_PER_THREAD)
		stream = (void *)((uintptr_t)default_of ^ (uintptr_t)&guard_depth << 16);
	else if ((uintptr_t)stream < (uintptr_t)STREAM_PER_THREAD)
		stream = default_of;
	id = handles_get(api->streams, stream);
	if (!id || gpu_stream(id)->clock != in->clock) {
		id = gpu_add_stream(in);
		handles_set(api->streams, stream, id);
	}
	return id;
}

bool stream_launch_begin(struct stream_launch *launch, const struct stream_api *api,
	const struct gpu_call *call, void *stream, enum gpu_work_kind kind, bool timed)
{
	struct gpu_work *work = &launch->work;
	struct event_home home = {NULL, 0};
	struct gpu_stream in;
	void *default_of;
	uint32_t device;

	launch->captured = false;
	if (!guard_enter())
		return false;
	launch->api = api;
	launch->stream = stream_named(call->name, stream);
	/* A call that must fail, as in a forked child, is not traced. */
	if (!api->place(launch->stream, &device, &default_of) || !gpu_launches_wanted() ||
		(launch->captured = api->is_capturing(launch->stream))) {
		guard_leave();
		return false;
	}
	launch->pair = NULL;
	if (timed)
		home = api->events->home(launch->stream);
	in = stream_in(api, device, home);
	*work = (struct gpu_work){.kind = kind,
		.call = call,
		.place = gpu_is_device_work(kind) ? gpu_current_place()
						  : (struct gpu_place){gpu_current_layer(), 0},
		.tid = gpu_tid(),
		.correlation = gpu_new_correlation(),
		.stream = stream_id(api, launch->stream, &in, default_of),
		.enqueue_ns = clock_now_ns()};
	stream_correlation = work->correlation;
	if (gpu_is_device_work(kind) && timed)
		launch->pair = event_pair_begin(api->events, home, launch->stream,
			(struct device_clock_id){device, in.clock}, work->enqueue_ns);
	return true;
}

void stream_launch_passed(const struct stream_launch *launch, bool ok)
{
	void *node = NULL;

	if (launch->captured && ok && launch->api->captured_node)
		node = launch->api->captured_node(launch->stream);
	if (node)
		graph_node_made(node);
}

bool stream_launch_end(struct stream_launch *launch, bool ok)
{
	uint32_t recorded_as = PWRTRACE_UNKNOWN_U32;

	if (launch->api->recorded_as)
		recorded_as = launch->api->recorded_as();
	launch->work.return_ns = clock_now_ns();
	if (recorded_as != PWRTRACE_UNKNOWN_U32 && gpu_is_device_work(launch->work.kind))
		launch->work.correlation = recorded_as;
	stream_correlation = 0;
	if (launch->pair && event_pair_end(launch->pair, launch->stream, ok))
		launch->work.token = launch->pair;
	return ok;
}

void stream_submit_kernel(struct gpu_work *work, uint32_t kernel)
{
	work->kernel.id = kernel;
	gpu_submit(work);
}

void stream_submit_memory(struct gpu_work *work, uint64_t bytes)
{
	work->memory.bytes = bytes;
	work->memory.kind = work->call->memory_kind;
	gpu_submit(work);
}

void stream_submit_graph(struct gpu_work *work, void *exec)
{
	work->graph.id = graph_class_of(exec);
	work->graph.nodes = graph_nodes_of(exec);
	gpu_submit(work);
}

void stream_submit_order(struct gpu_work *work, enum stream_order order, void *event)
{
	bool awaits = order == ORDER_STREAM_AWAITS || order == ORDER_AWAITS_EVENT;

	work->token = order == ORDER_RECORDS ? event : NULL;
	gpu_submit(work);
	if (awaits)
		gpu_submit(&(struct gpu_work){.kind = GPU_WORK_DEPENDENCY,
			.correlation = work->correlation,
			.dependency = {event, "event"}});
}
