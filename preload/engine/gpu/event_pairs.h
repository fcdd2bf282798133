/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a runtime's events around a launch: how work is timed where its vendor's profiler cannot
 * be had.  Less exact: an event is stamped when the stream gets to it, some microseconds off the
 * work itself.
 */
#ifndef PWRTRACE_EVENT_PAIRS_H
#define PWRTRACE_EVENT_PAIRS_H

#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu.h"

/* What events belong to, a context or a device.  One that is no more may have the handle of the
 * next: the id tells them apart. */
struct event_home {
	void *handle; /* NULL: none */
	unsigned long long id;
};

/* A runtime's events.  All but elapsed_ms, query and enter are called on launching threads too. */
struct event_api {
	const char *name;
	bool of_contexts; /* homes are contexts, else devices */
	/* Where events for a launch into stream must live. */
	struct event_home (*home)(void *stream);
	/* Make one, NULL where there is none to be had; destroy it. */
	void *(*create)(struct event_home home);
	void (*destroy)(void *event);
	bool (*record)(void *event, void *stream);
	/* GPU_RUNNING, GPU_FINISHED, GPU_FAILED or GPU_GONE. */
	enum gpu_progress (*query)(void *event);
	/* From begin to end, less than 0 where end was first.  Returns the runtime's error, 0 for
	 * none. */
	int (*elapsed_ms)(float *ms, void *begin, void *end);
	/* Makes home the one that the calling thread's next calls are about, until leave. */
	bool (*enter)(struct event_home home);
	void (*leave)(void);
	/* A stream of our own in it, which waits for no other. */
	void *(*new_stream)(void);
	/* Sets what calls of the calling thread may do to captures; returns what was set before. */
	int (*exchange_capture_mode)(int mode);
};

/* The mode of a thread that is no part of a capture, whatever others capture: CUDA's and HIP's. */
#define CAPTURE_MODE_RELAXED 2

struct event_pair;

/* The number of the clock that times of events are of, which tell only the time since others of
 * their home; 0: none. */
uint32_t event_clock(struct event_home home);

/* Records the first event of a pair into stream, on the launching thread.  Returns NULL where
 * events cannot be had: then the launch stays untimed. */
struct event_pair *event_pair_begin(const struct event_api *api, void *stream,
	struct device_clock_id clock, uint64_t enqueue_ns);

/* Records the second; ok: the launch succeeded, otherwise the pair is given back. */
bool event_pair_end(struct event_pair *pair, void *stream, bool ok);

/* The collector's side, as in struct gpu_api. */
enum gpu_progress event_pair_poll(void *pair, struct gpu_times *times);
void event_pair_release(void *pair);

#endif
