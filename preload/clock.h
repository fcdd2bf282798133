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

#endif
