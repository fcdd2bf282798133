/* SPDX-License-Identifier: MIT */
/*
 * The time of a launch, CLOCK_MONOTONIC in nanoseconds, from the processor's own counter: half of
 * what clock_gettime costs on a launching thread (40 in place of 80 ns a launch, on an H100's
 * Xeon).
 *
 * Where the kernel itself tells its time by this counter, the collector compares the two in each
 * round and says by which line launches go on; a line is used for a fifth of a second at most.
 * Elsewhere, and where no collector comes by, it is clock_gettime.
 */
#ifndef PWRTRACE_LAUNCH_CLOCK_H
#define PWRTRACE_LAUNCH_CLOCK_H

#include <stdint.h>

#include "preload/common/clock.h"
#include "preload/common/launch_path.h"

/* CLOCK_MONOTONIC was now_ns as the counter had this value, and goes on by scale / 2^32 ns a tick;
 * valid for so many ticks.  A seqlock: turn is odd while it is written. */
struct launch_clock {
	uint32_t turn;
	uint32_t valid_ticks;
	uint64_t scale;
	uint64_t ticks;
	uint64_t now_ns;
} __attribute__((aligned(64)));

extern struct launch_clock launch_clock;

#ifdef __x86_64__
#define LAUNCH_CLOCK_SOURCE "tsc" /* the kernel's name of the counter */
static inline uint64_t launch_clock_ticks(void)
{
	return __builtin_ia32_rdtsc();
}
#else
#define LAUNCH_CLOCK_SOURCE "" /* none that was tried */
static inline uint64_t launch_clock_ticks(void)
{
	return 0;
}
#endif

/* Returns CLOCK_MONOTONIC.  Any thread. */
static inline uint64_t launch_clock_now_ns(void)
{
	const struct launch_clock *clock = &launch_clock;
	uint32_t turn = __atomic_load_n(&clock->turn, __ATOMIC_ACQUIRE);
	uint64_t past = launch_clock_ticks() - __atomic_load_n(&clock->ticks, __ATOMIC_RELAXED);
	uint64_t now_ns = __atomic_load_n(&clock->now_ns, __ATOMIC_RELAXED) +
			  (past * __atomic_load_n(&clock->scale, __ATOMIC_RELAXED) >> 32);
	uint32_t valid_ticks = __atomic_load_n(&clock->valid_ticks, __ATOMIC_RELAXED);

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (LIKELY(past < valid_ticks && !(turn & 1) &&
		    __atomic_load_n(&clock->turn, __ATOMIC_RELAXED) == turn))
		return now_ns;
	return clock_now_ns();
}

/* The same at the end of a call that began then: the collector may have gone on from a later
 * reading meanwhile, which may be some 100 ns off. */
static inline uint64_t launch_clock_end_ns(uint64_t begin_ns)
{
	uint64_t now_ns = launch_clock_now_ns();

	return now_ns > begin_ns ? now_ns : begin_ns;
}

/* Both clocks at one time. */
struct launch_clock_reading {
	uint64_t ticks, now_ns;
};

/* Begins anew, in a process that was started or forked: until two comparisons were made, times are
 * those of clock_gettime.  On the collector's thread, as are the functions below. */
void launch_clock_start(void);

/* Reads both clocks and has launches go on from there: to be called in each round. */
void launch_clock_compare(void);

/* The same for a reading that was made. */
void launch_clock_go_on(const struct launch_clock_reading *reading);

#endif
