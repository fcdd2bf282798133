/* SPDX-License-Identifier: MIT */
/*
 * Timing a launch by a pair of the runtime's events, one before and one after it, for machines
 * without the vendor's profiler.  Less exact: an event is stamped when the stream reaches it, some
 * microseconds before the work begins or after it ends.
 */
#ifndef PWRTRACE_EVENT_PAIRS_H
#define PWRTRACE_EVENT_PAIRS_H

#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu.h"

/* The context or device that events belong to.  A new context may get the handle of a destroyed
 * one: the id tells them apart. */
struct event_home {
	void *handle; /* NULL: none */
	unsigned long long id;
};

/* The event functions of a runtime.  elapsed_ms, query, enter, leave and new_stream are called on
 * the collector's thread only, the others on launching threads too. */
struct event_api {
	const char *name;
	bool of_contexts; /* homes are contexts, else devices */
	/* Returns the home that events for a launch into stream must have. */
	struct event_home (*home)(void *stream);
	/* Create an event, NULL if that fails; destroy it; record it into stream. */
	void *(*create)(struct event_home home);
	void (*destroy)(void *event);
	bool (*record)(void *event, void *stream);
	/* GPU_RUNNING, GPU_FINISHED, GPU_FAILED or GPU_GONE. */
	enum gpu_progress (*query)(void *event);
	/* The time from begin to end, negative if end was first.  Returns the runtime's error, 0
	 * for none. */
	int (*elapsed_ms)(float *ms, void *begin, void *end);
	/* Makes home current for the calling thread, until leave. */
	bool (*enter)(struct event_home home);
	void (*leave)(void);
	/* Creates a stream of our own in the current home, which waits for no other stream. */
	void *(*new_stream)(void);
	/* Sets the capture mode of the calling thread; returns the mode before. */
	int (*exchange_capture_mode)(int mode);
};

/* The capture mode, of CUDA and of HIP, in which a thread's calls do not disturb captures of
 * others. */
#define CAPTURE_MODE_RELAXED 2

struct event_pair;

/* Returns the number of the clock of a home's events; 0 for none.  Each home has its own, because
 * events can be compared only with others of the same home.  Any thread. */
uint32_t event_clock(struct event_home home);

/* Records the first event of a pair into stream, which belongs to home.  Returns NULL if there are
 * no events: then the launch is not timed.  On the launching thread, as event_pair_end. */
struct event_pair *event_pair_begin(const struct event_api *api, struct event_home home,
	void *stream, struct device_clock_id clock, uint64_t enqueue_ns);

/* Records the second event.  Returns false, and takes the pair back, if that fails or the launch
 * did not succeed (ok). */
bool event_pair_end(struct event_pair *pair, void *stream, bool ok);

/* poll and release of struct gpu_api; pair may be NULL. */
enum gpu_progress event_pair_poll(void *pair, struct gpu_times *times);
void event_pair_release(void *pair);

#endif
