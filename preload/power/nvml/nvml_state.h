/* SPDX-License-Identifier: MIT */
/* The sensor of a GPU's state: clocks, limits, temperature, throttle reasons, and how busy its
 * parts are. */
#ifndef PWRTRACE_NVML_STATE_H
#define PWRTRACE_NVML_STATE_H

#include "preload/power/nvml/nvml_kind.h"

/* An H100 has new values every 100 ms (driver 580): they are read soon after. */
#define NVML_STATE_POLL_NS (20 * PWRTRACE_NS_PER_MS)

/* As the ops of struct nvml_kind. */
int nvml_state_prepare(struct nvml_reading *reading);
nvml_return nvml_state_read(struct nvml_reading *reading);
void nvml_state_write(struct nvml_reading *reading, const struct power_sink *sink);
void nvml_state_release(struct nvml_reading *reading);

#endif
