/* SPDX-License-Identifier: MIT */
/*
 * The first device as SIMGPU_TRUTH makes it up (tests/truth/truth_settings.h): what runs on it is
 * known beforehand, and its one sensor answers as chosen.  Times are CLOCK_REALTIME in virtual
 * time.
 */
#ifndef SIMGPU_NVML_TRUTH_H
#define SIMGPU_NVML_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/power/nvml/nvml_abi.h"

bool sim_truth_wanted(void);

/* A gauge is read as samples, with the counter beside it; a counter has no gauge beside it. */
bool sim_truth_lacks(const char *call);

/* Of which the period and window of samples are known to be those of the sensor, or unknown. */
unsigned int sim_truth_architecture(void);

/* Those after seen_us that are there by now_us, at most *count, which becomes how many. */
void sim_truth_samples(
	uint64_t seen_us, uint64_t now_us, struct nvml_sample *samples, unsigned int *count);

/* What the counter says then: as the sensor if that is one, else of 100 ms and the same gain. */
uint64_t sim_truth_counter_mj(uint64_t now_us);

#endif
