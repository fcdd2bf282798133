/* SPDX-License-Identifier: MIT */
/*
 * Work that goes into streams, as with CUDA and HIP: what the wrappers of both do.
 *
 * stream_wrappers.h makes a wrapper of each kind of row.
 */
#ifndef PWRTRACE_STREAM_WORK_H
#define PWRTRACE_STREAM_WORK_H

#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/event_pairs.h"
#include "preload/engine/gpu/gpu.h"

/* The handle by which both runtimes know the calling thread's own default stream. */
#define STREAM_PER_THREAD ((void *)2)

struct stream_api {
	const struct event_api *events;
	/* Says which device a call into stream is for, its id and where its default stream is, a
	 * handle.  Returns false where the call must fail. */
	bool (*place)(void *stream, uint32_t *device, void **default_of);
	/* In capture no work begins, and an event would become a node of the program's graph. */
	bool (*is_capturing)(void *stream);
	/* The id by which a profiler has recorded the call that the thread has just made: 0 where
	 * it has none, PWRTRACE_UNKNOWN_U32 where it is the launch's own correlation id.  May be
	 * NULL.
	 */
	uint32_t (*recorded_as)(void);
	/* The node that the last call captured in stream has become; NULL where that is not told.
	 * May be NULL. */
	void *(*captured_node)(void *stream);
	struct handles *streams;
};

/* Where a copy goes to, if the program says so at each call. */
enum stream_direction { STREAM_AS_THE_ROW_SAYS, STREAM_WRITES, STREAM_READS };

struct stream_launch {
	const struct stream_api *api;
	struct gpu_work work;
	struct event_pair *pair;
	void *stream;
	bool captured; /* nothing begins: the call becomes a node of a graph */
};

/* The correlation id of the launch that the calling thread is in, 0 outside of one. */
extern __thread uint32_t stream_correlation;

/* Before a call of the program's that may start something in stream.  timed: by a pair of events.
 * Returns false where nothing is to be traced; else the guard is held until the caller leaves it.
 */
bool stream_launch_begin(struct stream_launch *launch, const struct stream_api *api,
	const struct gpu_call *call, void *stream, enum gpu_work_kind kind, bool timed);

/* After the call where it returned false. */
void stream_launch_passed(const struct stream_launch *launch, bool ok);

/* After it.  Returns ok, whether the call succeeded; then the caller submits the work. */
bool stream_launch_end(struct stream_launch *launch, bool ok);

void stream_submit_kernel(struct gpu_work *work, uint32_t kernel);
void stream_submit_memory(struct gpu_work *work, uint64_t bytes);

/* exec: as graphs.h knows it. */
void stream_submit_graph(struct gpu_work *work, void *exec);

/* The stream that a call of function means by stream. */
void *stream_named(const char *function, void *stream);

/* Whether a function means the thread's own default stream where it is given none: the end of its
 * name says so. */
bool stream_is_of_thread(const char *function);

/* ---- orders and waits ---- */

enum stream_order {
	ORDER_NONE,
	ORDER_RECORDS,       /* parameters: event, stream */
	ORDER_STREAM_AWAITS, /* stream, event */
	ORDER_AWAITS_STREAM, /* the host awaits: stream */
	ORDER_AWAITS_EVENT,  /* the host awaits: event */
	ORDER_AWAITS_ALL,    /* of the current context, or device */
	ORDER_AWAITS_OTHER,  /* of a context that it names */
};

/* What a wait of each order awaits, as sync says it; all: what ORDER_AWAITS_ALL does. */
#define AWAITED_BY_ORDER_AWAITS_STREAM(all) "stream"
#define AWAITED_BY_ORDER_AWAITS_EVENT(all) "events"
#define AWAITED_BY_ORDER_AWAITS_ALL(all) all
#define AWAITED_BY_ORDER_AWAITS_OTHER(all) "another context"

/* Hands over that a call of the program's ordered or awaited something.
 */
void stream_submit_order(struct gpu_work *work, enum stream_order order, void *event);

#endif
