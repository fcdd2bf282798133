/* SPDX-License-Identifier: MIT */
/* The pure parts of the NVML source: its values, and its stamps on the trace's clock. */
#ifndef PWRTRACE_NVML_SAMPLES_H
#define PWRTRACE_NVML_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "preload/power/nvml/nvml_abi.h"

struct nvml_power {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint64_t power_mw;
};

/* Returns an NVML value of one of its types as an integer, or PWRTRACE_UNKNOWN_U64 where the type
 * is not known or the value is below zero. */
uint64_t nvml_value(unsigned int type, const union nvml_value *value);

/*
 * Converts samples of one type, stamped in CLOCK_REALTIME microseconds, to the trace's clock, which
 * realtime lies realtime_offset_ns ahead of.  Keeps, in the order of time and once each, those in
 * (after_ns, until_ns]: what lies outside was converted before, or stamped before the machine's
 * clock was set.  power has room for count.  Returns how many were kept.
 */
size_t nvml_convert(struct nvml_power *power, const struct nvml_sample *samples, size_t count,
	unsigned int type, int64_t realtime_offset_ns, uint64_t after_ns, uint64_t until_ns);

#endif
