/* SPDX-License-Identifier: MIT */
/* The trace's clock: CLOCK_MONOTONIC in nanoseconds, about 25 ns a read. */
#ifndef PWRTRACE_CLOCK_H
#define PWRTRACE_CLOCK_H

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

/* CLOCK_REALTIME - CLOCK_MONOTONIC, now: from the tightest of a few brackets. */
static inline int64_t clock_realtime_offset_ns(void)
{
	uint64_t least_ns = UINT64_MAX;
	int64_t offset_ns = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t before_ns = clock_now_ns();
		uint64_t realtime_ns = clock_read_ns(CLOCK_REALTIME);
		uint64_t width_ns = clock_now_ns() - before_ns;

		if (width_ns < least_ns) {
			least_ns = width_ns;
			offset_ns = (int64_t)(realtime_ns - before_ns - width_ns / 2);
		}
	}
	return offset_ns;
}

#endif
