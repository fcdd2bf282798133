/* SPDX-License-Identifier: MIT */
#include "preload/power/intel/intel_state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/power/core/sysfs.h"

#define UW_PER_MW 1000
#define MILLIDEGREES 1000
#define TEMPERATURES 4 /* temp1_input ... of one hwmon */

/* Where the files of the first tile lie below the device, xe's and i915's: the clock's, that of
 * whether it is throttled at all, and what each reason's begins with. */
static const struct {
	const char *clock, *status, *reason;
} layouts[] = {
	{"tile0/gt0/freq0/act_freq", "tile0/gt0/freq0/throttle/status",
		"tile0/gt0/freq0/throttle/reason_"},
	{"drm/card*/gt/gt0/rps_act_freq_mhz", "drm/card*/gt/gt0/throttle_reason_status",
		"drm/card*/gt/gt0/throttle_reason_"},
};

/* Bit 0 and so on of throttle_reasons. */
static const char *const reasons[INTEL_REASONS] = {
	"pl1", "pl2", "pl4", "thermal", "prochot", "ratl", "vr_thermalert", "vr_tdc"};

void intel_state_open(struct intel_state *state, const char *directory)
{
	char pattern[128];

	state->clock_fd = state->limit_fd = state->temperature_fd = state->throttle_fd = -1;
	for (size_t k = 0; k < INTEL_REASONS; k++)
		state->reason_fds[k] = -1;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts) && state->clock_fd < 0; i++) {
		state->clock_fd = sysfs_open_match(directory, layouts[i].clock);
		if (state->clock_fd < 0)
			continue;
		state->throttle_fd = sysfs_open_match(directory, layouts[i].status);
		for (size_t k = 0; k < INTEL_REASONS; k++) {
			snprintf(pattern, sizeof(pattern), "%s%s", layouts[i].reason, reasons[k]);
			state->reason_fds[k] = sysfs_open_match(directory, pattern);
		}
	}
}

void intel_state_add_hwmon(struct intel_state *state, const char *directory)
{
	if (state->limit_fd < 0)
		state->limit_fd = sysfs_open(directory, "power1_max");
	for (unsigned int i = 1; i <= TEMPERATURES && state->temperature_fd < 0; i++) {
		char file[32], label[32];

		snprintf(file, sizeof(file), "temp%u_label", i);
		if (!sysfs_text(label, sizeof(label), directory, file) && strcmp(label, "pkg") != 0)
			continue;
		snprintf(file, sizeof(file), "temp%u_input", i);
		state->temperature_fd = sysfs_open(directory, file);
	}
}

static uint32_t read_in(int fd, uint64_t divisor)
{
	uint64_t number;

	if (fd < 0 || sysfs_reread_number(fd, &number) || number / divisor > INT32_MAX)
		return PWRTRACE_UNKNOWN_U32;
	return (uint32_t)(number / divisor);
}

static uint64_t read_reasons(const struct intel_state *state)
{
	uint32_t throttled = read_in(state->throttle_fd, 1);
	uint64_t bits = 0;

	if (throttled == PWRTRACE_UNKNOWN_U32)
		return PWRTRACE_UNKNOWN_U64;
	for (size_t i = 0; throttled && i < INTEL_REASONS; i++)
		if (read_in(state->reason_fds[i], 1) == 1)
			bits |= UINT64_C(1) << i;
	return bits;
}

void intel_state_read(struct intel_state *state)
{
	state->now = POWER_STATE_UNKNOWN;
	state->now.sm_clock_mhz = read_in(state->clock_fd, 1);
	state->now.limit_mw = read_in(state->limit_fd, UW_PER_MW);
	if (!state->now.limit_mw) /* the limit is switched off */
		state->now.limit_mw = PWRTRACE_UNKNOWN_U32;
	state->now.temperature_c = read_in(state->temperature_fd, MILLIDEGREES);
	state->now.throttle_reasons = read_reasons(state);
}

void intel_state_close(struct intel_state *state)
{
	const int fds[] = {
		state->clock_fd, state->limit_fd, state->temperature_fd, state->throttle_fd};

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	for (size_t i = 0; i < INTEL_REASONS; i++)
		if (state->reason_fds[i] >= 0)
			close(state->reason_fds[i]);
}
