/* SPDX-License-Identifier: MIT */
/* The records of AMD's profilers, which say what devices did, joined with the program's calls. */
#ifndef PWRTRACE_HIP_RECORDS_H
#define PWRTRACE_HIP_RECORDS_H

#include "preload/engine/gpu/records.h"

/* A profiler; its functions are called on the collector's thread. */
struct hip_profiler {
	/* Makes it deliver its records. */
	void (*flush)(void);
	/* Reads its clock, for device_clock_read. */
	uint64_t (*now_ns)(void);
};

/* From now on, and for good, this profiler records the work.  The struct must never be freed. */
void hip_records_start(const struct hip_profiler *profiler);

/* Returns whether there is a profiler.  Any thread. */
bool hip_records_started(void);

/* Forgets all calls and records, which are the parent's, in a forked child. */
void hip_records_forget(void);

/* Records on their way to the collector. */
struct hip_batch {
	struct hip_batch *next;
	uint64_t dropped; /* records that the profiler had no room for */
	size_t count;
	struct gpu_record records[];
};

/* Returns an empty batch with room for count records, NULL if memory runs out.  Any thread but a
 * launching one, because it allocates. */
struct hip_batch *hip_batch_new(size_t count);

/* Takes a batch over, for the collector.  Any thread. */
void hip_records_hand_over(struct hip_batch *batch);

/* take, gather and harvest of struct gpu_api. */
bool hip_records_take(const struct gpu_work *work);
void hip_records_gather(const struct round *round);
bool hip_records_harvest(bool last);

#endif
