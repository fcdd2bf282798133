/* SPDX-License-Identifier: MIT */
#include "preload/engine/lanes.h"

#include <stdlib.h>

#include "preload/engine/core/handles.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/submit.h"

/* The most work that one round fetches, so that threads that never stop launching cannot keep the
 * collector from writing what has finished. */
#define FETCHED_MAX (1 << 17)

struct pending_work {
	struct pending_work *next;
	struct gpu_work work;
	bool given_up; /* it was counted as lost */
};

struct lane {
	struct pending_work *first;
	struct pending_work **last;
	bool busy;     /* it has work, and so is among the busy ones */
	uint32_t next; /* the next busy one, as its stream's id + 1; 0: none */
};

/* Streams have ids that never come again, and a program may make one for each request. */
static struct lane *lanes; /* by stream id; 0: of streams that are not known */
static uint32_t lane_count;
static uint32_t busy; /* the first of the busy lanes, as its stream's id + 1; 0: none */
static struct lane inbox;
static uint32_t in_flight;            /* device work in all lanes */
static struct pending_work *spare;    /* for reuse */
static struct handles correlation_of; /* the correlation id of the last work with a token */

static void append(struct lane *lane, struct pending_work *pending)
{
	if (!lane->last)
		lane->last = &lane->first;
	pending->next = NULL;
	*lane->last = pending;
	lane->last = &pending->next;
}

static struct pending_work *take(struct lane *lane, struct pending_work **at)
{
	struct pending_work *pending = *at;

	*at = pending->next;
	if (lane->last == &pending->next)
		lane->last = at;
	return pending;
}

static struct pending_work *new_pending(void)
{
	struct pending_work *pending = spare;

	if (!pending)
		return malloc(sizeof(*pending));
	spare = pending->next;
	return pending;
}

static void recycle(struct pending_work *pending)
{
	pending->next = spare;
	spare = pending;
}

static struct lane *lane_of(uint32_t stream)
{
	if (stream >= lane_count) {
		uint32_t count = stream * 2 + 64;
		struct lane *more = calloc(count, sizeof(*more));

		if (!more)
			return NULL;
		for (uint32_t i = 0; i < lane_count; i++) {
			more[i].busy = lanes[i].busy;
			more[i].next = lanes[i].next;
			while (lanes[i].first)
				append(&more[i], take(&lanes[i], &lanes[i].first));
		}
		free(lanes);
		lanes = more;
		lane_count = count;
	}
	return &lanes[stream];
}

static void write_execution(const struct gpu_work *work, const struct gpu_times *raw)
{
	const struct gpu_stream *stream = gpu_stream(work->stream);
	struct device_clock_id clock = {stream->device, stream->clock};
	struct gpu_span span;

	device_clock_note(clock, work->enqueue_ns, work->return_ns, raw->queued_ns);
	span = device_clock_to_host(clock, raw->begin_ns, raw->end_ns);
	gpu_write_execution(work, &span);
}

/* Returns whether the work has ended and was released. */
static bool settle(const struct gpu_work *work)
{
	struct gpu_times times;

	if (work->kind == GPU_WORK_RELEASE_STREAM) {
		submit_release(work);
		return true;
	}
	switch (work->call->api->poll(work->token, &times)) {
	case GPU_RUNNING:
		return false;
	case GPU_FINISHED:
		write_execution(work, &times);
		break;
	case GPU_UNTIMED:
		gpu_write_execution(work, &gpu_span_unknown);
		break;
	case GPU_FAILED:
		lost_write(gpu_execution_event(work->kind), "failed on the device", 1);
		break;
	case GPU_GONE:
		lost_write(gpu_execution_event(work->kind),
			"the program destroyed its context before the time was read", 1);
		break;
	}
	submit_release(work);
	return true;
}

static bool settle_lane(struct lane *lane, bool in_order)
{
	bool any = false;

	for (struct pending_work **at = &lane->first; *at;) {
		bool last = (*at)->work.kind == GPU_WORK_RELEASE_STREAM;

		if ((!last || at == &lane->first) && settle(&(*at)->work)) {
			in_flight -= !last;
			recycle(take(lane, at));
			any = true;
		} else if (in_order) {
			break;
		} else {
			at = &(*at)->next;
		}
	}
	return any;
}

bool lanes_settle(void)
{
	uint32_t *at = &busy;
	bool any = false;

	while (*at) {
		uint32_t stream = *at - 1;
		struct lane *lane = &lanes[stream];

		any |= settle_lane(lane, !gpu_stream(stream)->out_of_order);
		lane->busy = lane->first != NULL;
		if (lane->busy)
			at = &lane->next;
		else
			*at = lane->next;
	}
	return any;
}

bool lanes_empty(void)
{
	return !inbox.first && !busy;
}

static void remember(const struct gpu_work *work)
{
	if (work->token)
		handles_set(&correlation_of, work->token, work->correlation);
}

/* Writes what is known of work at its launch.  Returns whether it must wait in a lane. */
static bool begin(const struct gpu_work *work)
{
	if (work->call && work->call->api->take && work->call->api->take(work))
		return false;
	switch (work->kind) {
	case GPU_WORK_KERNEL:
	case GPU_WORK_MEMORY:
	case GPU_WORK_GRAPH:
		remember(work);
		return true;
	case GPU_WORK_SYNC:
		remember(work);
		gpu_write_sync(work);
		return false;
	case GPU_WORK_DEPENDENCY:
		gpu_write_dependency(work->correlation,
			handles_get(&correlation_of, work->dependency.token),
			work->dependency.kind);
		return false;
	case GPU_WORK_PUSH:
		tp_layer_push(&(struct pwrtrace_layer_push){.process = process_number,
			.tid = work->tid,
			.layer = work->place.layer,
			.begin_ns = work->enqueue_ns,
			.payload = work->push.payload});
		return false;
	case GPU_WORK_POP:
		tp_layer_pop(&(struct pwrtrace_layer_pop){.process = process_number,
			.tid = work->tid,
			.layer = work->place.layer,
			.end_ns = work->enqueue_ns});
		return false;
	case GPU_WORK_RELEASE_STREAM:
		return true;
	case GPU_WORK_NODE:
	case GPU_WORK_COLLECTIVE:
	case GPU_WORK_GROUP:
		return false;
	}
	return false;
}

bool lanes_fetch(void)
{
	bool any = false;

	for (int i = 0; i < FETCHED_MAX; i++) {
		struct pending_work *pending = new_pending();

		if (!pending)
			break;
		pending->given_up = false;
		if (!submit_pop(&pending->work)) {
			recycle(pending);
			break;
		}
		append(&inbox, pending);
		any = true;
	}
	return any;
}

/* There is no memory for its lane. */
static void drop(const struct gpu_work *work)
{
	if (gpu_is_device_work(work->kind))
		lost_write(gpu_execution_event(work->kind), "there was no memory for it", 1);
	submit_release(work);
}

void lanes_dispatch(void)
{
	while (inbox.first) {
		struct pending_work *pending = take(&inbox, &inbox.first);
		bool waits = begin(&pending->work);
		struct lane *lane = waits ? lane_of(pending->work.stream) : NULL;

		if (waits && !lane)
			drop(&pending->work);
		if (!lane) {
			recycle(pending);
			continue;
		}
		in_flight += gpu_is_device_work(pending->work.kind);
		if (!lane->busy) {
			lane->busy = true;
			lane->next = busy;
			busy = pending->work.stream + 1;
		}
		append(lane, pending);
	}
}

uint32_t lanes_in_flight(void)
{
	return in_flight;
}

void lanes_drop(void)
{
	while (inbox.first) {
		struct pending_work *pending = take(&inbox, &inbox.first);

		submit_release(&pending->work);
		recycle(pending);
	}
}

void lanes_write_unfinished(void)
{
	for (uint32_t lane = busy; lane; lane = lanes[lane - 1].next) {
		for (struct pending_work *p = lanes[lane - 1].first; p; p = p->next) {
			if (!p->given_up && p->work.kind != GPU_WORK_RELEASE_STREAM)
				gpu_write_unfinished(&p->work);
			p->given_up = true;
		}
	}
}

void lanes_reset(void)
{
	lanes = NULL;
	lane_count = 0;
	busy = 0;
	in_flight = 0;
	inbox = (struct lane){.first = NULL};
}
