/* SPDX-License-Identifier: MIT */
/*
 * gpu_metrics, the table that AMD's driver hands out in sysfs: one layout per revision, of which
 * this is what we need.
 */
#ifndef PWRTRACE_AMD_METRICS_H
#define PWRTRACE_AMD_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AMD_RESIDENCIES_MAX 8
#define AMD_METRICS_MAX 8192 /* bytes of a table; the largest one known has 3360 */

enum amd_metric {
	AMD_ENERGY,    /* counted up, in units of 2^-16 J */
	AMD_STAMP,     /* of the firmware's own clock, in units of 10 ns */
	AMD_SOCKET_MW, /* the card's power; an APU's, CPU included */
	AMD_GFX_MW,    /* parts of an APU's power: */
	AMD_CPU_MW,
	AMD_SOC_MW,
	AMD_GFX_MHZ, /* of the fastest of several compute dies */
	AMD_MEMORY_MHZ,
	AMD_TEMPERATURE_C,
	AMD_GFX_PERCENT, /* how busy */
	AMD_MEMORY_PERCENT,
	AMD_THROTTLE, /* bits SMU_THROTTLER_* of the kernel's amdgpu_smu.h */
	AMD_METRIC_COUNT,
};

struct amd_metrics {
	unsigned int format, content;     /* the revision: 1 and 3 for v1.3 */
	bool apu;                         /* the socket holds the CPU too */
	uint64_t value[AMD_METRIC_COUNT]; /* PWRTRACE_UNKNOWN_U64: not there */

	/* Newer tables say for how long each reason has throttled, counted up, and not what does
	 * now.  bits: of AMD_THROTTLE. */
	size_t residency_count;
	const uint8_t *bits;
	uint64_t residency[AMD_RESIDENCIES_MAX];
};

/* Decodes a table of size bytes.  Returns 0, or -1 where its revision is not known (which is set
 * all the same) or it is shorter than it says. */
int amd_metrics_decode(struct amd_metrics *metrics, const void *table, size_t size);

/* What has throttled since a table that was decoded before, as bits of AMD_THROTTLE, or
 * PWRTRACE_UNKNOWN_U64. */
uint64_t amd_metrics_throttle(const struct amd_metrics *now, const struct amd_metrics *before);

#endif
