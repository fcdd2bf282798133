/* SPDX-License-Identifier: MIT */
/*
 * From a device's clock to CLOCK_MONOTONIC, by bracketing.
 *
 * While the host makes the launching call, from c0 to c1, the runtime reads the device's clock and
 * keeps it as the time of queueing, g.  So at host time (c0 + c1)/2 ± (c1 - c0)/2 the device's
 * clock read g.  Every launch is such a bracket at no cost; the tightest of each second becomes
 * the anchor that times are moved by, and goes into the trace as clock_sync.  What clocks drift
 * against each other until the next one, some 10 µs a second, stays in these times: the analyzer
 * has the raw times and all anchors, those that come later too, and moves them better.
 *
 * Used by the collector's thread alone.
 */
#ifndef PWRTRACE_DEVICE_CLOCK_H
#define PWRTRACE_DEVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/engine/gpu/gpu.h"

/* As events.def's clock_sync says them. */
struct device_clock_id {
	uint32_t device, number;
};

/* Notes a bracket [c0, c1] around g; g may be PWRTRACE_UNKNOWN_U64. */
void device_clock_note(struct device_clock_id id, uint64_t c0_ns, uint64_t c1_ns, uint64_t g_ns);

/* The clock read raw_ns between c0_ns and c1_ns of the host's. */
struct device_clock_reading {
	uint64_t c0_ns, c1_ns, raw_ns;
};

/* Reads a clock that can be asked some times, and keeps the tightest.  now_ns returns its time or
 * PWRTRACE_UNKNOWN_U64.  Returns false where it has told none. */
bool device_clock_read(uint64_t (*now_ns)(void), struct device_clock_reading *tightest);

/* Moves device times to the host's clock; what is unknown stays so. */
struct gpu_times device_clock_to_host(struct device_clock_id id, const struct gpu_times *raw);

/* Writes the anchor of every clock again. */
void device_clock_write(void);

/* Writes the tightest bracket since that anchor: the last one, where nothing follows. */
void device_clock_write_last(void);

#endif
