/* SPDX-License-Identifier: MIT */
/* Clock, limit, temperature and throttle reasons of an Intel graphics card: the files of i915 or of
 * xe, whichever are there. */
#ifndef PWRTRACE_INTEL_STATE_H
#define PWRTRACE_INTEL_STATE_H

#include "preload/power/core/power.h"

#define INTEL_REASONS 8

struct intel_state {
	int clock_fd, limit_fd, temperature_fd, throttle_fd;
	int reason_fds[INTEL_REASONS];
	struct pwrtrace_device_state now;
};

/* directory: of the device. */
void intel_state_open(struct intel_state *state, const char *directory);

/* Takes limit and temperature from one of the device's hwmon directories. */
void intel_state_add_hwmon(struct intel_state *state, const char *directory);

/* Sets now. */
void intel_state_read(struct intel_state *state);

void intel_state_close(struct intel_state *state);

#endif
