/* SPDX-License-Identifier: MIT */
/*
 * Converting a device's times to CLOCK_MONOTONIC.
 *
 * During a launching call, from c0 to c1 of the host's clock, the runtime reads the device's clock
 * and keeps the value g as the time of queueing.  So the device's clock read g at host time
 * (c0 + c1)/2 ± (c1 - c0)/2: such a bracket comes with every launch at no cost.  The tightest
 * bracket of each second becomes the anchor by which times are converted, and is written as
 * clock_sync.  The drift between the clocks until the next anchor, some 10 µs a second, remains in
 * these times.  An execution names its anchor, so the analyzer knows the raw times; it has all
 * anchors, later ones too, and converts more exactly.
 *
 * All functions are for the collector's thread.
 */
#ifndef PWRTRACE_DEVICE_CLOCK_H
#define PWRTRACE_DEVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/engine/gpu/gpu.h"

/* Names a clock, as clock_sync does. */
struct device_clock_id {
	uint32_t device, number;
};

/* Notes that the clock read g_ns between c0_ns and c1_ns of the host; g_ns may be unknown
 * (PWRTRACE_UNKNOWN_U64).  Does nothing where c1_ns is before c0_ns, as the two are then estimates
 * that fail.  May write a clock_sync. */
void device_clock_note(struct device_clock_id id, uint64_t c0_ns, uint64_t c1_ns, uint64_t g_ns);

/* A bracket: the device's clock read raw_ns between c0_ns and c1_ns of the host's. */
struct device_clock_reading {
	uint64_t c0_ns, c1_ns, raw_ns;
};

/* Reads a clock several times and keeps the tightest bracket.  now_ns: returns the clock's time or
 * PWRTRACE_UNKNOWN_U64.  Returns false if no reading succeeded. */
bool device_clock_read(uint64_t (*now_ns)(void), struct device_clock_reading *tightest);

/* Converts the device's times of an execution to CLOCK_MONOTONIC.  While the clock has no anchor,
 * they stay as they are, and the anchor is PWRTRACE_UNKNOWN_U32. */
struct gpu_span device_clock_to_host(
	struct device_clock_id id, uint64_t raw_begin_ns, uint64_t raw_end_ns);

/* Writes the current anchor of every clock again, for a recording that begins. */
void device_clock_write(void);

/* Writes the tightest bracket of every clock since its anchor, at the end of the process. */
void device_clock_write_last(void);

#endif
