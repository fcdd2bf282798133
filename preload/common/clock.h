/* SPDX-License-Identifier: MIT */
/* The trace's clock: CLOCK_MONOTONIC in nanoseconds, about 25 ns a read. */
#ifndef PWRTRACE_CLOCK_H
#define PWRTRACE_CLOCK_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

#include "pwrtrace/units.h"

static inline uint64_t clock_read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * PWRTRACE_NS_PER_S + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/* A time or a length as the system's calls take it. */
static inline struct timespec clock_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / PWRTRACE_NS_PER_S),
		.tv_nsec = (long)(ns % PWRTRACE_NS_PER_S)};
}

/* Waits for so long, whatever signals come. */
static inline void clock_wait(uint64_t ns)
{
	struct timespec left = clock_timespec(ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}

/* At now_ns, give or take error_ns, it was realtime_ns. */
struct clock_pair {
	uint64_t now_ns;
	uint64_t realtime_ns;
	uint64_t error_ns;
};

/* The two clocks read together: the tightest of a few brackets. */
static inline struct clock_pair clock_pair(void)
{
	struct clock_pair best = {.error_ns = UINT64_MAX};

	for (int i = 0; i < 3; i++) {
		uint64_t before_ns = clock_now_ns();
		uint64_t realtime_ns = clock_read_ns(CLOCK_REALTIME);
		uint64_t half_ns = (clock_now_ns() - before_ns) / 2;

		if (half_ns < best.error_ns)
			best = (struct clock_pair){before_ns + half_ns, realtime_ns, half_ns};
	}
	return best;
}

/* CLOCK_REALTIME - CLOCK_MONOTONIC, now. */
static inline int64_t clock_realtime_offset_ns(void)
{
	struct clock_pair pair = clock_pair();

	return (int64_t)(pair.realtime_ns - pair.now_ns);
}

#endif
