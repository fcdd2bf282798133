/* SPDX-License-Identifier: MIT */
#include "preload/power/nvml/nvml_state.h"

#include <stdlib.h>

#include "preload/common/clock.h"
#include "preload/power/nvml/nvml_samples.h"

#define PIPES_NS PWRTRACE_NS_PER_S /* at least, between two samples of the pipes */
#define COST_SHARE 100 /* a sample of the pipes may cost this part of the time between two */

/* How busy the pipes are follows from two samples (GPM: Hopper and newer). */
struct nvml_state {
	struct pwrtrace_device_state now;
	uint64_t edpp_percent;      /* of the power limit; unknown: PWRTRACE_UNKNOWN_U64 */
	nvmlGpmSample_t samples[2]; /* the last one is in [0] once sampled; NULL: no GPM */
	bool sampled;
	unsigned int every, turn; /* one of so many readings takes a sample */
};

static uint64_t read_edpp_percent(const struct nvml_device *device)
{
	struct nvml_field_value field = {.fieldId = NVML_NEW_FI_DEV_EDPP_MULTIPLIER};

	if (NVML_CALL(device->api, nvmlDeviceGetFieldValues, device->handle, 1, &field) ||
		field.nvmlReturn)
		return PWRTRACE_UNKNOWN_U64;
	return nvml_value(field.valueType, &field.value);
}

static void free_samples(const struct nvml_device *device, struct nvml_state *state)
{
	for (int i = 0; i < 2; i++)
		if (state->samples[i])
			NVML_CALL(device->api, nvmlGpmSampleFree, state->samples[i]);
	state->samples[0] = state->samples[1] = NULL;
}

/* Returns whether the first sample was taken. */
static bool begin_samples(const struct nvml_device *device, struct nvml_state *state)
{
	const struct nvml_api *api = device->api;
	nvml_gpm_support support = {.version = NVML_GPM_SUPPORT_VERSION};

	return !NVML_CALL(api, nvmlGpmQueryDeviceSupport, device->handle, &support) &&
	       support.isSupportedDevice &&
	       !NVML_CALL(api, nvmlGpmSampleAlloc, &state->samples[0]) &&
	       !NVML_CALL(api, nvmlGpmSampleAlloc, &state->samples[1]) &&
	       !NVML_CALL(api, nvmlGpmSampleGet, device->handle, state->samples[0]);
}

int nvml_state_prepare(struct nvml_reading *reading)
{
	struct nvml_state *state = calloc(1, sizeof(*state));
	uint64_t begin_ns;

	if (!state)
		return -1;
	reading->state = state;
	state->now = POWER_STATE_UNKNOWN;
	state->edpp_percent = read_edpp_percent(reading->device);
	state->sampled = begin_samples(reading->device, state);
	if (!state->sampled) {
		free_samples(reading->device, state);
		return 0;
	}
	begin_ns = clock_now_ns();
	NVML_CALL(
		reading->device->api, nvmlGpmSampleGet, reading->device->handle, state->samples[0]);
	state->every = (unsigned int)(((clock_now_ns() - begin_ns) * COST_SHARE + PIPES_NS) /
				      NVML_STATE_POLL_NS);
	return 0;
}

void nvml_state_release(struct nvml_reading *reading)
{
	free_samples(reading->device, reading->state);
	free(reading->state);
}

static uint32_t percent(const nvml_gpm_metric *metric)
{
	/* Not a number and below zero fail this as well. */
	return !metric->nvmlReturn && metric->value >= 0 && metric->value < 1000
		       ? (uint32_t)(metric->value + 0.5)
		       : PWRTRACE_UNKNOWN_U32;
}

/* What they were between two samples stays until the next one. */
static void read_pipes(const struct nvml_device *device, struct nvml_state *state)
{
	nvml_gpm_metrics metrics = {.version = NVML_GPM_METRICS_GET_VERSION,
		.numMetrics = 3,
		.sample1 = state->samples[0],
		.sample2 = state->samples[1],
		.metrics = {{.metricId = NVML_GPM_METRIC_SM_UTIL},
			{.metricId = NVML_GPM_METRIC_ANY_TENSOR_UTIL},
			{.metricId = NVML_GPM_METRIC_DRAM_BW_UTIL}}};

	if (!state->sampled || state->turn++ % state->every ||
		NVML_CALL(device->api, nvmlGpmSampleGet, device->handle, state->samples[1]) ||
		NVML_CALL(device->api, nvmlGpmMetricsGet, &metrics))
		return;
	state->now.sm_percent = percent(&metrics.metrics[0]);
	state->now.tensor_percent = percent(&metrics.metrics[1]);
	state->now.memory_percent = percent(&metrics.metrics[2]);
	state->samples[0] = metrics.sample2;
	state->samples[1] = metrics.sample1;
}

static nvml_return read_reasons(const struct nvml_device *device, uint64_t *reasons)
{
	unsigned long long bits = 0;
	nvml_return result = NVML_CALL(
		device->api, nvmlDeviceGetCurrentClocksEventReasons, device->handle, &bits);

	if (result == NVML_ERROR_FUNCTION_NOT_FOUND)
		result = NVML_CALL(device->api, nvmlDeviceGetCurrentClocksThrottleReasons,
			device->handle, &bits);
	if (result == NVML_SUCCESS)
		*reasons = bits;
	return result;
}

/* Each stays unknown where it cannot be read; the device has a state if one of them can. */
nvml_return nvml_state_read(struct nvml_reading *reading)
{
	const struct nvml_device *device = reading->device;
	const struct nvml_api *api = device->api;
	struct nvml_state *state = reading->state;
	struct pwrtrace_device_state now = POWER_STATE_UNKNOWN;
	uint64_t begin_ns = clock_now_ns();
	const nvml_return results[] = {
		NVML_CALL(api, nvmlDeviceGetClockInfo, device->handle, NVML_CLOCK_SM,
			&now.sm_clock_mhz),
		NVML_CALL(api, nvmlDeviceGetClockInfo, device->handle, NVML_CLOCK_MEM,
			&now.memory_clock_mhz),
		NVML_CALL(api, nvmlDeviceGetEnforcedPowerLimit, device->handle, &now.limit_mw),
		NVML_CALL(api, nvmlDeviceGetTemperature, device->handle, NVML_TEMPERATURE_GPU,
			&now.temperature_c),
		read_reasons(device, &now.throttle_reasons),
	};
	nvml_return result = results[0];

	for (size_t i = 1; i < sizeof(results) / sizeof(*results); i++)
		if (result != NVML_ERROR_GPU_IS_LOST && results[i] == NVML_SUCCESS)
			result = NVML_SUCCESS;
	if (state->edpp_percent != PWRTRACE_UNKNOWN_U64 && now.limit_mw != PWRTRACE_UNKNOWN_U32)
		now.edpp_limit_mw = (uint32_t)(now.limit_mw * state->edpp_percent / 100);
	now.sm_percent = state->now.sm_percent;
	now.tensor_percent = state->now.tensor_percent;
	now.memory_percent = state->now.memory_percent;
	state->now = now;
	read_pipes(device, state);
	return nvml_stamp(reading, result, begin_ns);
}

void nvml_state_write(struct nvml_reading *reading, const struct power_sink *sink)
{
	reading->state->now.time_ns = reading->time_ns;
	sink->state(sink, &reading->state->now);
}
