/* SPDX-License-Identifier: MIT */
/*
 * The first device when SIMGPU_TRUTH describes it (tests/truth/truth_settings.h): what runs on it
 * is known in advance, and its one sensor has the chosen response.  Times are CLOCK_REALTIME in
 * virtual time.
 */
#ifndef SIMGPU_NVML_TRUTH_H
#define SIMGPU_NVML_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/power/nvml/nvml_abi.h"

/* Whether SIMGPU_TRUTH is set. */
bool sim_truth_wanted(void);

/* Whether the device does not support a call of NVML.  A device whose sensor is a gauge has samples
 * of power and an energy counter; one whose sensor is a counter has only that. */
bool sim_truth_lacks(const char *call);

/* The architecture of the device: one for which the NVML source knows the period and window of the
 * sensor, or an unknown one. */
unsigned int sim_truth_architecture(void);

/* The samples after seen_us that exist by now_us.  *count: room for how many; becomes their number.
 */
void sim_truth_samples(
	uint64_t seen_us, uint64_t now_us, struct nvml_sample *samples, unsigned int *count);

/* The speed of the device's clock at now_us, as a part of the highest. */
double sim_truth_speed(uint64_t now_us);

/* The energy counter at now_us: the sensor itself if it is a counter, else one that ticks every
 * 100 ms with the gain of the sensor. */
uint64_t sim_truth_counter_mj(uint64_t now_us);

#endif
