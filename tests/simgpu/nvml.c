/* SPDX-License-Identifier: MIT */
/*
 * A simulated libnvidia-ml: GPUs whose power is a known function of time, to test the NVML source
 * without a GPU.  The truth, which tests/e2e/nvml_truth.py computes too:
 *
 *   device i draws (i + 1) · 100 W, and three times that in every other quarter of a second of
 *   CLOCK_REALTIME, beginning with quarter 1 of the epoch
 *
 * Samples are means over 20 ms, stamped at their end, of which the last 2.4 s are kept; the counter
 * ticks every 100 ms, and so does the clock; the memory takes a quarter of the power.  Settings,
 * from the environment:
 *
 *   SIMGPU_NVML_DEVICES=N          how many there are (1)
 *   SIMGPU_NVML_UNSUPPORTED=CALL,… the calls that answer "Not Supported"; also "memory" for the
 *                                  fields of that scope, "edpp" for the field of that name and
 *                                  "gpm" for the utilization of the compute units
 *   SIMGPU_NVML_MIG=1              MIG is on
 *   SIMGPU_NVML_LOST=FILE          the last device has fallen off the bus once FILE exists
 *   SIMGPU_NVML_INIT=CODE          what nvmlInit returns
 *   SIMGPU_NVML_LOAD=FILE          the power follows the kernels that FILE lists, as written by
 *                                  SIMGPU_CUDA_TRUTH: device i draws (i + 1) · 100 W, and while a
 *                                  kernel runs three times that, or as many watts more as the
 *                                  kernel's name says (nvml_load.h); samples are means over 25 ms
 *                                  that ended 3 ms before their stamp
 *   SIMGPU_NVML_NUMBERS=N,N,…      with the former: the first kernel after 10 ms without any draws
 *                                  N times as many watts more, the second the next N times as
 *                                  many, those after the last N as many as that one
 *   SIMGPU_NVML_PERIOD_MS=N        samples come every N ms and are means over N ms, with a noise
 *                                  of half a percent (standard deviation); the architecture of
 *                                  the device is unknown
 *   SIMGPU_TRUTH="KEY=VALUE …"     the first device runs what this makes up, and has the sensor
 *                                  that it describes (nvml_truth.h)
 *   SIMGPU_NVML_DRIVER=VERSION     the version of the driver
 *   SIMGPU_NVML_SLOW=FILE          each call takes 20 ms once FILE exists
 *   SIMGPU_NVML_HANG=FILE          no call returns while FILE exists
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/power/nvml/nvml_abi.h"
#include "tests/simgpu/nvml_load.h"
#include "tests/simgpu/nvml_truth.h"

#define US_PER_MS UINT64_C(1000)
#define US_PER_S UINT64_C(1000000)
#define STEP_US (250 * US_PER_MS)
#define SAMPLE_US (20 * US_PER_MS)
#define TICK_US (100 * US_PER_MS)
#define LOAD_WINDOW_US (25 * US_PER_MS)
#define LOAD_LAG_US (3 * US_PER_MS)
#define KEPT 119
#define DEVICES_MAX 16
#define BASE_W 100
#define MW_PER_W 1000

#define EXPORT(ret, name, params) __attribute__((visibility("default"))) ret name params;
NVML_FUNCTIONS(EXPORT, EXPORT)

struct nvmlDevice_st {
	unsigned int index;
};

static struct nvmlDevice_st devices[DEVICES_MAX];

static unsigned int device_count(void)
{
	const char *text = getenv("SIMGPU_NVML_DEVICES");

	return text ? (unsigned int)atoi(text) : 1;
}

static uint64_t realtime_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * US_PER_S + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t period_us(void)
{
	const char *text = getenv("SIMGPU_NVML_PERIOD_MS");

	return text ? (uint64_t)atoi(text) * US_PER_MS : SAMPLE_US;
}

static unsigned int power_mw(const struct nvmlDevice_st *device, uint64_t time_us)
{
	if (getenv("SIMGPU_NVML_LOAD"))
		return (unsigned int)(sim_load_energy_uj(device->index, BASE_W, time_us) -
				      sim_load_energy_uj(
					      device->index, BASE_W, time_us - US_PER_MS));
	return (device->index + 1) * BASE_W * MW_PER_W * (time_us / STEP_US % 2 ? 3 : 1);
}

/* The energy since the epoch.  A pair of steps, one at the base power and one at three times that,
 * takes four times the base energy of a step. */
static uint64_t energy_uj(const struct nvmlDevice_st *device, uint64_t time_us)
{
	uint64_t base_w = (device->index + 1) * BASE_W;
	uint64_t pairs = time_us / (2 * STEP_US), rest_us = time_us % (2 * STEP_US);
	uint64_t high_us = rest_us > STEP_US ? rest_us - STEP_US : 0;

	if (getenv("SIMGPU_NVML_LOAD"))
		return sim_load_energy_uj(device->index, BASE_W, time_us);
	return base_w * (pairs * 4 * STEP_US + rest_us + 2 * high_us);
}

static bool exists(const char *variable)
{
	const char *file = getenv(variable);

	return file && access(file, F_OK) == 0;
}

static void take_time(void)
{
	if (exists("SIMGPU_NVML_SLOW"))
		usleep(20 * US_PER_MS);
	while (exists("SIMGPU_NVML_HANG"))
		usleep(10 * US_PER_MS);
}

static bool is_lost(const struct nvmlDevice_st *device)
{
	return device->index + 1 == device_count() && exists("SIMGPU_NVML_LOST");
}

static bool is_listed(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (strncmp(list, word, length) == 0 && (!list[length] || list[length] == ','))
			return true;
	}
	return false;
}

static nvml_return answer(const struct nvmlDevice_st *device, const char *call)
{
	take_time();
	if (is_lost(device))
		return NVML_ERROR_GPU_IS_LOST;
	if (is_listed(getenv("SIMGPU_NVML_UNSUPPORTED"), call) ||
		(sim_truth_wanted() && sim_truth_lacks(call)))
		return NVML_ERROR_NOT_SUPPORTED;
	return NVML_SUCCESS;
}

/* Sets *target and returns success, or returns the error and leaves *target. */
#define ANSWER(device, target, value)                                                              \
	do {                                                                                       \
		nvml_return result = answer(device, __func__);                                     \
                                                                                                   \
		if (result == NVML_SUCCESS)                                                        \
			*(target) = (value);                                                       \
		return result;                                                                     \
	} while (0)

nvml_return nvmlInit_v2(void)
{
	const char *text = getenv("SIMGPU_NVML_INIT");

	take_time();
	for (unsigned int i = 0; i < DEVICES_MAX; i++)
		devices[i].index = i;
	return text ? (nvml_return)atoi(text) : NVML_SUCCESS;
}

nvml_return nvmlShutdown(void)
{
	return NVML_SUCCESS;
}

const char *nvmlErrorString(nvml_return result)
{
	switch (result) {
	case NVML_SUCCESS:
		return "Success";
	case NVML_ERROR_NOT_SUPPORTED:
		return "Not Supported";
	case NVML_ERROR_FUNCTION_NOT_FOUND:
		return "Function Not Found";
	case NVML_ERROR_GPU_IS_LOST:
		return "GPU is lost";
	default:
		return "Unknown Error";
	}
}

nvml_return nvmlDeviceGetCount_v2(unsigned int *count)
{
	*count = device_count();
	return NVML_SUCCESS;
}

nvml_return nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
	*device = &devices[index];
	return NVML_SUCCESS;
}

nvml_return nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
	snprintf(uuid, length, "GPU-00000000-0000-0000-0000-%012u", device->index);
	return NVML_SUCCESS;
}

nvml_return nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
	const char *text = getenv("SIMGPU_NVML_DRIVER");

	snprintf(version, length, "%s", text ? text : "580.1");
	return NVML_SUCCESS;
}

nvml_return nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
	snprintf(name, length, "Simulated GPU %u", device->index);
	return NVML_SUCCESS;
}

nvml_return nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, struct nvml_pci_info *pci)
{
	*pci = (struct nvml_pci_info){.bus = 0x40 + device->index};
	return NVML_SUCCESS;
}

nvml_return nvmlDeviceGetArchitecture(nvmlDevice_t device, unsigned int *architecture)
{
	ANSWER(device, architecture,
		sim_truth_wanted()         ? sim_truth_architecture()
		: period_us() == SAMPLE_US ? NVML_DEVICE_ARCH_HOPPER
					   : NVML_DEVICE_ARCH_UNKNOWN);
}

nvml_return nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
	const char *mig = getenv("SIMGPU_NVML_MIG");

	*pending = mig && *mig == '1';
	ANSWER(device, current, *pending);
}

/* The noise of a sample, as a factor.  It depends on the time of the sample alone, so that the same
 * question has the same answer.  A sum of twelve uniform numbers in [0, 1) has a variance of 1. */
static double noise(uint64_t time_us)
{
	double sum = -6;

	if (period_us() == SAMPLE_US)
		return 1;
	for (uint64_t i = 0; i < 12; i++) {
		uint64_t z = (time_us * 12 + i) * UINT64_C(0x9E3779B97F4A7C15);

		z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
		sum += (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
	}
	return 1 + 0.005 * sum;
}

nvml_return nvmlDeviceGetSamples(nvmlDevice_t device, unsigned int type, unsigned long long seen_us,
	unsigned int *value_type, unsigned int *count, struct nvml_sample *samples)
{
	uint64_t step_us = period_us(), last_us = realtime_us() / step_us * step_us;
	uint64_t kept = (KEPT - 1) * SAMPLE_US / step_us + 1;
	uint64_t time_us = last_us - ((kept < *count ? kept : *count) - 1) * step_us;
	bool loaded = getenv("SIMGPU_NVML_LOAD") != NULL;
	uint64_t window_us = loaded && step_us == SAMPLE_US ? LOAD_WINDOW_US : step_us;
	uint64_t lag_us = loaded ? LOAD_LAG_US : 0;
	nvml_return result = answer(device, __func__);
	unsigned int used = 0;

	if (result != NVML_SUCCESS || type != NVML_TOTAL_POWER_SAMPLES)
		return result ? result : NVML_ERROR_NOT_SUPPORTED;
	*value_type = NVML_VALUE_TYPE_UNSIGNED_INT;
	if (sim_truth_wanted()) {
		sim_truth_samples(seen_us, realtime_us(), samples, count);
		return *count ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
	}
	for (; time_us <= last_us && used < *count; time_us += step_us) {
		uint64_t end_us = time_us - lag_us;
		uint64_t sample_uj =
			energy_uj(device, end_us) - energy_uj(device, end_us - window_us);

		if (time_us > seen_us)
			samples[used++] = (struct nvml_sample){time_us,
				{.uiVal = (unsigned int)(noise(time_us) * (double)sample_uj * 1000 /
							 (double)window_us)}};
	}
	*count = used;
	return used ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}

static nvml_return fill_in(nvmlDevice_t device, struct nvml_field_value *field)
{
	bool memory = field->scopeId == NVML_POWER_SCOPE_MEMORY;
	uint64_t now_us = realtime_us();

	if (field->fieldId == NVML_NEW_FI_DEV_EDPP_MULTIPLIER) {
		field->valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
		field->value.uiVal = 150;
		return answer(device, "edpp");
	}
	if (field->fieldId == NVML_FI_DEV_POWER_INSTANT)
		field->value.uiVal = power_mw(device, now_us);
	else if (field->fieldId == NVML_FI_DEV_POWER_AVERAGE)
		field->value.uiVal = (unsigned int)((energy_uj(device, now_us) -
							    energy_uj(device, now_us - US_PER_S)) /
						    1000);
	else
		return NVML_ERROR_NOT_SUPPORTED;
	field->valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
	if (memory)
		field->value.uiVal /= 4;
	return memory ? answer(device, "memory") : NVML_SUCCESS;
}

nvml_return nvmlDeviceGetFieldValues(
	nvmlDevice_t device, int count, struct nvml_field_value *values)
{
	nvml_return result = answer(device, __func__);

	for (int i = 0; i < count && result == NVML_SUCCESS; i++)
		values[i].nvmlReturn = fill_in(device, &values[i]);
	return result;
}

nvml_return nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *milliwatts)
{
	ANSWER(device, milliwatts, power_mw(device, realtime_us()));
}

nvml_return nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *energy_mj)
{
	uint64_t now_us = realtime_us();

	ANSWER(device, energy_mj,
		sim_truth_wanted() ? sim_truth_counter_mj(now_us)
				   : energy_uj(device, now_us / TICK_US * TICK_US) / 1000);
}

nvml_return nvmlDeviceGetClockInfo(nvmlDevice_t device, unsigned int type, unsigned int *clock_mhz)
{
	uint64_t time_us = realtime_us() / TICK_US * TICK_US;
	double speed = sim_truth_wanted() ? sim_truth_speed(time_us) : 1;

	ANSWER(device, clock_mhz,
		type == NVML_CLOCK_SM ? (unsigned int)lround(1980 * speed) : 3201);
}

nvml_return nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *limit_mw)
{
	ANSWER(device, limit_mw, 700000);
}

nvml_return nvmlDeviceGetTemperature(
	nvmlDevice_t device, unsigned int sensor, unsigned int *temperature_c)
{
	(void)sensor;
	ANSWER(device, temperature_c, 40);
}

nvml_return nvmlDeviceGetCurrentClocksThrottleReasons(
	nvmlDevice_t device, unsigned long long *reasons)
{
	ANSWER(device, reasons, 4);
}

nvml_return nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons)
{
	ANSWER(device, reasons, 4);
}

/* ---- utilization (GPM): it does not depend on the time between the two samples here ---- */

struct nvmlGpmSample_st {
	const struct nvmlDevice_st *device;
};

nvml_return nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvml_gpm_support *support)
{
	support->isSupportedDevice = answer(device, "gpm") == NVML_SUCCESS;
	return NVML_SUCCESS;
}

nvml_return nvmlGpmSampleAlloc(nvmlGpmSample_t *sample)
{
	*sample = calloc(1, sizeof(**sample));
	return NVML_SUCCESS;
}

nvml_return nvmlGpmSampleFree(nvmlGpmSample_t sample)
{
	free(sample);
	return NVML_SUCCESS;
}

nvml_return nvmlGpmSampleGet(nvmlDevice_t device, nvmlGpmSample_t sample)
{
	ANSWER(device, &sample->device, device);
}

nvml_return nvmlGpmMetricsGet(nvml_gpm_metrics *metrics)
{
	for (unsigned int i = 0; i < metrics->numMetrics; i++) {
		nvml_gpm_metric *metric = &metrics->metrics[i];

		metric->nvmlReturn = metrics->sample1->device == metrics->sample2->device
					     ? NVML_SUCCESS
					     : NVML_ERROR_NOT_FOUND;
		metric->value = metric->metricId * 10.25;
	}
	return NVML_SUCCESS;
}
