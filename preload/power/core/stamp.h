/* SPDX-License-Identifier: MIT */
/* Placing the stamps of a device's clock on ours, where all that is known of a stamp is that it is
 * older than the moment at which it was read. */
#ifndef PWRTRACE_STAMP_H
#define PWRTRACE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

/* Zero before the first stamp. */
struct stamp_clock {
	bool begun;
	uint64_t stamp_ns; /* the last one */
	uint64_t since_ns; /* when the least offset of now was begun to be looked for */
	int64_t now_ns,
		before_ns; /* the least offsets of this span of time and of the one before */
};

/*
 * Returns when, on our clock, the device stamped stamp_ns, which was there at host_ns.  The least
 * difference of the last 10 to 20 s is the offset: the reading that was delayed least; older ones
 * are forgotten, because clocks drift.
 */
uint64_t stamp_clock_time(struct stamp_clock *clock, uint64_t stamp_ns, uint64_t host_ns);

#endif
