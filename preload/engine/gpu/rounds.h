/* SPDX-License-Identifier: MIT */
/*
 * Rounds of the collector: in each it takes the launches, asks what the device has done, and writes
 * events.  This file synchronizes it with launching threads: whether launches are wanted, who waits
 * for a round, and whether the process is ending or was forked.
 */
#ifndef PWRTRACE_ROUNDS_H
#define PWRTRACE_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/common/engine.h"
#include "preload/common/launch_path.h"

/* ---- for launching threads; errno is kept ---- */

/* For gpu_launches_wanted: whether all is prepared and launches are wanted; and what else is to be
 * done, and whether they are wanted then. */
extern bool rounds_take_launches;
bool rounds_open(void);

/* Returns whether launches are to be traced.  The first call in a forked child starts a collector.
 */
static inline bool gpu_launches_wanted(void)
{
	return LIKELY(__atomic_load_n(&rounds_take_launches, __ATOMIC_ACQUIRE)) || rounds_open();
}

/* To be called after a call that waited for the device.  While the process ends, it waits for a
 * round, at most 50 ms, because this may be the last opportunity to collect the program's last
 * launches. */
void gpu_after_wait(void);

/* Asks for the times of what the device has done: profilers are asked for their records in the next
 * round, and ten times a second otherwise.  Does not wait for them. */
void gpu_want_times(void);

/* Waits, at most 2 s, until all earlier launches have finished and are collected.  For calls that
 * destroy what the tokens of work belong to, and that wait for the work themselves. */
void gpu_wait_for_all(void);

/* As `end` of struct engine: makes the collector do its last rounds; waits until deadline_ns at
 * most. */
void rounds_end(uint64_t deadline_ns);

/* ---- for the collector's thread ---- */

/* To be called before the first round. */
void rounds_start(const struct engine_host *host);

struct round {
	uint32_t flush;   /* the number of the last request that it answers */
	bool last;        /* the process is ending, and somebody waits for this round */
	bool records_due; /* profilers are to be asked for their records */
};

/* Begins a round.  While the process ends, it first waits for a request: only while somebody waits
 * for the round is it safe to call the GPU's runtime. */
struct round round_begin(void);

/* Ends a round.  wanted: launches are to be traced from now on; empty: no work is pending. */
void round_end(const struct round *round, bool wanted, bool empty);

/* Sleeps for ns, or until somebody requests a round. */
void round_sleep(uint64_t ns);

#endif
