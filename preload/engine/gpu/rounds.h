/* SPDX-License-Identifier: MIT */
/*
 * The collector works in rounds: each takes what was launched, looks what the device has done, and
 * writes.  Here is what launching threads and the collector know of each other: whether launches
 * are wanted, who waits for a round, and that the process is ending or was forked.
 */
#ifndef PWRTRACE_ROUNDS_H
#define PWRTRACE_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/common/engine.h"

/* ---- launching threads ---- */

/* Whether launches are wanted at all.  In a forked child it brings the collector back. */
bool gpu_launches_wanted(void);

/* After a call of the program's that waited for the device: while the process ends, this is when
 * its last launches can still be collected. */
void gpu_after_wait(void);

/* Waits until all that was launched before has finished and is collected; two seconds at most.
 * For calls that end what the work's tokens belong to, and wait for the work themselves. */
void gpu_wait_for_all(void);

/* As end of struct engine. */
void rounds_end(uint64_t deadline_ns);

/* ---- the collector ---- */

/* Once, before its first round. */
void rounds_start(const struct engine_host *host);

struct round {
	uint32_t flush; /* that it answers */
	bool last;      /* the process is ending, and somebody waits for this round */
};

/* While the process ends, waits for one who asks: only they may send us into the runtime. */
struct round round_begin(void);

/* wanted: launches from now on; empty: nothing that was launched is pending. */
void round_end(const struct round *round, bool wanted, bool empty);

/* Until the next round is due, or somebody waits for it. */
void round_sleep(uint64_t ns);

#endif
