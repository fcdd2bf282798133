/* SPDX-License-Identifier: MIT */
/* A counter of energy that wraps or begins anew, made into one that does not wrap. */
#ifndef PWRTRACE_COUNTER_H
#define PWRTRACE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Zero but for range before the first reading.  All values are in the counter's own unit. */
struct counter {
	uint64_t range;   /* where it wraps to zero; 0: never */
	uint64_t fastest; /* more than this in a second is no wrap; 0: not known */
	uint64_t value;   /* as last read */
	uint64_t time_ns; /* when; 0: not yet */
	uint64_t total;   /* counted since the first reading, or since the counter began anew */
};

/*
 * Takes a reading.  A fall is a wrap, at most one since the reading before, if what was counted
 * meanwhile is at most fastest, and else the counter began anew (a driver was loaded again, a
 * machine was asleep): then total begins at 0 again, so that whoever reads it sees a fall too.
 */
void counter_read(struct counter *counter, uint64_t value, uint64_t time_ns);

#endif
