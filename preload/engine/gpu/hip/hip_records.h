/* SPDX-License-Identifier: MIT */
/* What AMD's profilers say that devices did, joined with the program's calls. */
#ifndef PWRTRACE_HIP_RECORDS_H
#define PWRTRACE_HIP_RECORDS_H

#include "preload/engine/gpu/gpu.h"

struct hip_record {
	uint64_t begin_ns, end_ns; /* of the profiler's clock */
	uint64_t bytes;
	uint32_t correlation; /* of the call; 0: of none of HIP's */
	const char *memory;   /* a copy's kind, as in memory_exec; NULL: a kernel, and ... */
	uint64_t global[3];
	uint32_t local[3];
	uint32_t shared_bytes; /* PWRTRACE_UNKNOWN_U32 where they are not told */
	uint64_t kernel_id;
};

struct hip_profiler {
	const char *name;
	/* Makes it hand over what it has recorded; the collector's. */
	void (*flush)(void);
	/* Its clock, as device_clock_read wants it. */
	uint64_t (*now_ns)(void);
};

/* From now on work is told by this profiler, for ever. */
void hip_records_start(const struct hip_profiler *profiler);
bool hip_records_started(void);

/* In a forked child: what was to be told of the parent's work is the parent's business. */
void hip_records_forget(void);

struct hip_batch {
	struct hip_batch *next;
	uint64_t dropped; /* records that the profiler had no room for */
	size_t count;
	struct hip_record records[];
};

/* Returns a batch with room for count records and none in it, NULL without memory.  From any thread
 * but a launching one. */
struct hip_batch *hip_batch_new(size_t count);

/* Takes it over.  From any thread. */
void hip_records_hand_over(struct hip_batch *batch);

/* What a kernel id of records means.  name is copied. */
void hip_records_name(uint64_t kernel_id, const char *name);

/* As in struct gpu_api. */
bool hip_records_take(const struct gpu_work *work);
void hip_records_gather(bool last);
bool hip_records_harvest(bool last);

#endif
