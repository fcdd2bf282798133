/* SPDX-License-Identifier: MIT */
/*
 * The time of a launch from the processor's own counter, which costs less than clock_gettime: 17 in
 * place of 29 ns on an H200's Xeon, twice a launch.
 *
 * Where the kernel itself tells its time by this counter, a launching thread reads the counter and
 * nothing else.  The collector compares the two in each round and finds CLOCK_MONOTONIC of what it
 * takes from the launching threads.  Elsewhere a launching thread calls clock_gettime.
 */
#ifndef PWRTRACE_LAUNCH_CLOCK_H
#define PWRTRACE_LAUNCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/common/clock.h"
#include "preload/common/launch_path.h"

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

/* A launching thread hands over a stamp: the counter's value with this bit set, or CLOCK_MONOTONIC
 * in nanoseconds.  Neither gets so far that it has the bit itself. */
#define LAUNCH_CLOCK_COUNTED (1ULL << 63)

/* Whether the counter may be used. */
extern bool launch_clock_counts;

/* Returns a stamp of the present time.  Any thread. */
static inline uint64_t launch_clock_stamp(void)
{
	return LIKELY(launch_clock_counts) ? launch_clock_ticks() | LAUNCH_CLOCK_COUNTED
					   : clock_now_ns();
}

/* Both clocks at one time. */
struct launch_clock_reading {
	uint64_t ticks, now_ns;
};

/* Reads both clocks for the first time; to be called once, before the first stamp is taken. */
void launch_clock_start(void);

/* ---- on the collector's thread ---- */

/* Reads both clocks: to be called in each round, before stamps are converted. */
void launch_clock_compare(void);

/* The same for a reading that was made. */
void launch_clock_go_on(const struct launch_clock_reading *reading);

/* Returns CLOCK_MONOTONIC, in nanoseconds, of a stamp, by the last reading and the slope; a time in
 * nanoseconds, or an unknown one, as it is.  If the counter was set before the last reading, it is
 * the time of that. */
uint64_t launch_clock_ns(uint64_t stamp);

#endif
