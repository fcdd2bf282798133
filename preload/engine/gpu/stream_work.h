/* SPDX-License-Identifier: MIT */
/*
 * What the wrappers of CUDA and HIP have in common, whose work goes into streams. stream_wrappers.h
 * makes a wrapper of each row of their tables.  On launching threads.
 */
#ifndef PWRTRACE_STREAM_WORK_H
#define PWRTRACE_STREAM_WORK_H

#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/event_pairs.h"
#include "preload/engine/gpu/gpu.h"

/* The handle of the calling thread's own default stream, in both runtimes. */
#define STREAM_PER_THREAD ((void *)2)

/* The streams of a runtime. */
struct stream_api {
	const struct event_api *events;
	/* Finds the id of the device of a stream, and a handle of the context or device whose
	 * default stream it may be.  Returns false if a call into stream would fail. */
	bool (*place)(void *stream, uint32_t *device, void **default_of);
	/* Whether stream is being captured: then no work begins, and an event would become a node
	 * of the program's graph. */
	bool (*is_capturing)(void *stream);
	/* Returns the profiler's id of the call that the thread has just made: 0 if it has none,
	 * PWRTRACE_UNKNOWN_U32 if it is the launch's own correlation id.  May be NULL. */
	uint32_t (*recorded_as)(void);
	/* Returns the node that the last captured call into stream has become, NULL if unknown. May
	 * be NULL. */
	void *(*captured_node)(void *stream);
	struct handles *streams;
};

/* The direction of a copy: constant for the function, or an argument of each call. */
enum stream_direction { STREAM_AS_THE_ROW_SAYS, STREAM_WRITES, STREAM_READS };

/* A call of the program's that launches, orders or waits; from before it to after it. */
struct stream_launch {
	const struct stream_api *api;
	struct gpu_work work;
	struct event_pair *pair;
	void *stream;
	bool captured; /* the call becomes a node of a graph, and no work begins */
};

/* The correlation id of the launch that the calling thread is in, 0 outside of one. */
extern __thread uint32_t stream_correlation;

/* To be called before a call that may start work in stream.  timed: by a pair of events.  Returns
 * false if it is not to be traced; otherwise the guard (guard.h) is held, and the caller must leave
 * it. */
bool stream_launch_begin(struct stream_launch *launch, const struct stream_api *api,
	const struct gpu_call *call, void *stream, enum gpu_work_kind kind, bool timed);

/* To be called after the call if stream_launch_begin returned false; ok: the call succeeded. */
void stream_launch_passed(const struct stream_launch *launch, bool ok);

/* To be called after the call otherwise.  Returns ok; if it is true, the caller must submit the
 * work. */
bool stream_launch_end(struct stream_launch *launch, bool ok);

/* Submit the work of a launch: a kernel of that class, a copy or fill, a graph (exec as in
 * graphs.h). */
void stream_submit_kernel(struct gpu_work *work, uint32_t kernel);
void stream_submit_memory(struct gpu_work *work, uint64_t bytes);
void stream_submit_graph(struct gpu_work *work, void *exec);

/* Returns the stream that a call of a function of that name means by stream. */
void *stream_named(const char *function, void *stream);

/* Returns whether the end of a function's name says that it means the thread's own default stream
 * if it is given none. */
bool stream_is_of_thread(const char *function);

/* ---- synchronization: orders between streams, and waits of the host ---- */

/* What a function does; the comments name its first parameters. */
enum stream_order {
	ORDER_NONE,
	ORDER_RECORDS,       /* a stream records an event: event, stream */
	ORDER_STREAM_AWAITS, /* a stream waits for an event: stream, event */
	ORDER_AWAITS_STREAM, /* the host waits for a stream: stream */
	ORDER_AWAITS_EVENT,  /* the host waits for an event: event */
	ORDER_AWAITS_ALL,    /* the host waits for the current context or device */
	ORDER_AWAITS_OTHER,  /* the host waits for a context that is a parameter */
};

/* `awaits` of sync for each kind of wait; all: for ORDER_AWAITS_ALL. */
#define AWAITED_BY_ORDER_AWAITS_STREAM(all) "stream"
#define AWAITED_BY_ORDER_AWAITS_EVENT(all) "events"
#define AWAITED_BY_ORDER_AWAITS_ALL(all) all
#define AWAITED_BY_ORDER_AWAITS_OTHER(all) "another context"

/* Submits the work of an order or wait; event: the one that it records or waits for, or NULL. */
void stream_submit_order(struct gpu_work *work, enum stream_order order, void *event);

#endif
