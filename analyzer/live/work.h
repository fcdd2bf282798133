/* SPDX-License-Identifier: MIT */
/* What the streams of a recording under way ran in the last seconds. */
#ifndef PWRTRACE_LIVE_WORK_H
#define PWRTRACE_LIVE_WORK_H

#include "analyzer/live/live.h"

struct live_device {
	uint32_t number;
	char *uuid, *pci, *name, *kind;
};

/* A process, and what it has defined. */
struct live_process {
	GHashTable *devices; /* by number (struct live_device) */
	GHashTable *streams; /* by number (struct live_stream) */
};

struct live_stream {
	uint32_t device;  /* its number in the process; 0: not known yet */
	GHashTable *work; /* by name (struct live_work) */
};

struct live_work {
	struct live_second seconds[LIVE_SECONDS];
};

struct live_process *live_process_new(void);
void live_process_free(gpointer process);

void live_process_device(struct live_process *process, const struct pwrtrace_device *e);
struct live_stream *live_process_stream(struct live_process *process, uint32_t stream);

/* Adds an execution of a name. */
void live_stream_add(
	struct live_stream *stream, const char *name, uint64_t begin_ns, uint64_t end_ns);

/* Forgets what ran before a second. */
void live_process_forget(struct live_process *process, uint64_t number);

/* The place of a second, emptied where an earlier one had it; NULL where a later one has. */
struct live_second *live_second_at(struct live_second seconds[LIVE_SECONDS], uint64_t number);

/* Returns the kernels of all processes from a second to before another (struct live_kernel), with
 * names that are theirs. */
GArray *live_kernels_of(
	GHashTable *processes, const GPtrArray *sensors, uint64_t begin, uint64_t end);

/* The second, if it is still there; else NULL. */
static inline const struct live_second *live_second_of(
	const struct live_second seconds[LIVE_SECONDS], uint64_t number)
{
	const struct live_second *second = &seconds[number % LIVE_SECONDS];

	return second->number == number ? second : NULL;
}

#endif
