/* SPDX-License-Identifier: MIT */
#include "preload/power/nvml/nvml_kind.h"

#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/power/nvml/nvml_samples.h"
#include "preload/power/nvml/nvml_state.h"

#define UJ_PER_MJ 1000
#define NJ_PER_MJ 1000000
#define UW_PER_MW 1000
#define SAMPLES_MAX 1024
#define HISTORY_NS (100 * PWRTRACE_NS_PER_MS) /* how much is written of what came before */
#define CLOCK_SET_NS (10 * (int64_t)PWRTRACE_NS_PER_MS) /* more than slewing does in a second */

struct nvml_ring {
	struct nvml_sample samples[SAMPLES_MAX];
	struct nvml_power power[SAMPLES_MAX];
	unsigned int count;
	unsigned int type;
	int64_t realtime_offset_ns;
	unsigned long long seen_us; /* the stamp of the last sample that was written */
	uint64_t seen_ns;
};

/* ---- the driver's ring of samples ---- */

static int prepare_samples(struct nvml_reading *reading)
{
	reading->ring = calloc(1, sizeof(*reading->ring));
	return reading->ring ? 0 : -1;
}

static void release_samples(struct nvml_reading *reading)
{
	free(reading->ring);
}

static nvml_return read_samples(struct nvml_reading *reading)
{
	const struct nvml_device *device = reading->device;
	struct nvml_ring *ring = reading->ring;
	int64_t offset_ns = clock_realtime_offset_ns();
	nvml_return result;

	/* Stamps begin anew when somebody sets the clock. */
	if (llabs(offset_ns - ring->realtime_offset_ns) > CLOCK_SET_NS)
		ring->seen_us = 0;
	ring->realtime_offset_ns = offset_ns;
	ring->count = SAMPLES_MAX;
	result = NVML_CALL(device->api, nvmlDeviceGetSamples, device->handle,
		NVML_TOTAL_POWER_SAMPLES, ring->seen_us, &ring->type, &ring->count, ring->samples);
	if (result != NVML_SUCCESS)
		ring->count = 0;
	reading->time_ns = clock_now_ns();
	return result;
}

static void write_samples(struct nvml_reading *reading, const struct power_sink *sink)
{
	struct nvml_ring *ring = reading->ring;
	uint64_t from_ns = sink->begin_ns - HISTORY_NS;
	size_t count = nvml_convert(ring->power, ring->samples, ring->count, ring->type,
		ring->realtime_offset_ns, ring->seen_ns > from_ns ? ring->seen_ns : from_ns,
		reading->time_ns + CLOCK_SET_NS);

	for (size_t i = 0; i < count; i++)
		sink->value(sink, ring->power[i].time_ns, ring->power[i].power_mw);
	if (!count)
		return;
	ring->seen_ns = ring->power[count - 1].time_ns;
	ring->seen_us = ring->samples[ring->count - 1].timeStamp;
}

/* ---- single values ---- */

static nvml_return read_field(struct nvml_reading *reading)
{
	const struct nvml_device *device = reading->device;
	struct nvml_field_value field = {
		.fieldId = reading->kind->field, .scopeId = reading->kind->scope};
	uint64_t begin_ns = clock_now_ns();
	nvml_return result =
		NVML_CALL(device->api, nvmlDeviceGetFieldValues, device->handle, 1, &field);

	if (result == NVML_SUCCESS)
		result = field.nvmlReturn;
	if (result == NVML_SUCCESS) {
		reading->value = nvml_value(field.valueType, &field.value);
		if (reading->value == PWRTRACE_UNKNOWN_U64)
			result = NVML_ERROR_NOT_SUPPORTED;
	}
	return nvml_stamp(reading, result, begin_ns);
}

/* Boards without a sensor of their memory's power answer zero (Zeus, zeus.device.gpu.nvidia). */
static nvml_return read_memory(struct nvml_reading *reading)
{
	nvml_return result = read_field(reading);

	if (result == NVML_SUCCESS && !reading->value) {
		reading->time_ns = 0;
		result = NVML_ERROR_NOT_SUPPORTED;
	}
	return result;
}

static nvml_return read_usage(struct nvml_reading *reading)
{
	const struct nvml_device *device = reading->device;
	uint64_t begin_ns = clock_now_ns();
	unsigned int power_mw = 0;
	nvml_return result =
		NVML_CALL(device->api, nvmlDeviceGetPowerUsage, device->handle, &power_mw);

	reading->value = power_mw;
	return nvml_stamp(reading, result, begin_ns);
}

static void write_power(struct nvml_reading *reading, const struct power_sink *sink)
{
	sink->value(sink, reading->time_ns, reading->value);
}

static nvml_return read_counter(struct nvml_reading *reading)
{
	const struct nvml_device *device = reading->device;
	uint64_t begin_ns = clock_now_ns();
	unsigned long long energy_mj = 0;
	nvml_return result = NVML_CALL(
		device->api, nvmlDeviceGetTotalEnergyConsumption, device->handle, &energy_mj);

	reading->value = energy_mj;
	return nvml_stamp(reading, result, begin_ns);
}

static void write_counter(struct nvml_reading *reading, const struct power_sink *sink)
{
	sink->value(sink, reading->time_ns, reading->value * UJ_PER_MJ);
}

/* ---- the table ---- */

#define POWER                                                                                      \
	.domain = "gpu", .part_of = "", .quantity = "power", .event = "power_sample",              \
	.expected = true
#define MEMORY                                                                                     \
	.domain = "memory", .part_of = "gpu", .quantity = "power", .event = "power_sample",        \
	.scope = NVML_POWER_SCOPE_MEMORY, .poll_ns = 100 * PWRTRACE_NS_PER_MS,                     \
	.read = read_memory, .write = write_power

enum { SAMPLES, INSTANT, USAGE, COUNTER, MEMORY_INSTANT, MEMORY_AVERAGE, STATE, KIND_COUNT };

const struct nvml_kind nvml_kinds[] = {
	/* The driver keeps 2.4 s of samples. */
	[SAMPLES] = {POWER, .call = "nvmlDeviceGetSamples", .poll_ns = PWRTRACE_NS_PER_S,
		.batched = true, .prepare = prepare_samples, .read = read_samples,
		.write = write_samples, .release = release_samples},
	[INSTANT] = {POWER, .call = "NVML_FI_DEV_POWER_INSTANT", .field = NVML_FI_DEV_POWER_INSTANT,
		.scope = NVML_POWER_SCOPE_GPU, .poll_ns = 50 * PWRTRACE_NS_PER_MS,
		.read = read_field, .write = write_power},
	[USAGE] = {POWER, .call = "nvmlDeviceGetPowerUsage", .poll_ns = 10 * PWRTRACE_NS_PER_MS,
		.read = read_usage, .write = write_power},
	[COUNTER] = {.domain = "gpu",
		.part_of = "",
		.quantity = "energy",
		.event = "energy_counter",
		.expected = true,
		.call = "nvmlDeviceGetTotalEnergyConsumption",
		.poll_ns = PWRTRACE_NS_PER_S,
		.read = read_counter,
		.write = write_counter},
	[MEMORY_INSTANT] = {MEMORY, .call = "NVML_FI_DEV_POWER_INSTANT",
		.field = NVML_FI_DEV_POWER_INSTANT},
	[MEMORY_AVERAGE] = {MEMORY, .call = "NVML_FI_DEV_POWER_AVERAGE",
		.field = NVML_FI_DEV_POWER_AVERAGE},
	[STATE] = {.domain = "gpu",
		.part_of = "",
		.quantity = "state",
		.event = "device_state",
		.expected = true,
		.call = "nvmlDeviceGetClockInfo",
		.poll_ns = NVML_STATE_POLL_NS,
		.prepare = nvml_state_prepare,
		.read = nvml_state_read,
		.write = nvml_state_write,
		.release = nvml_state_release},
};

const size_t nvml_kind_count = KIND_COUNT;

/*
 * Periods and windows in ms where somebody measured them, 0: not known; the first row that fits.
 * Samples, counter and memory: measured on an H200, driver 580.  The others: Yang, Adamek, Armour,
 * "Accurate and Convenient Energy Measurements for GPUs", SC'24, drivers after 530.  Averages over
 * a second: nvml.h.
 */
#define ANY NVML_DEVICE_ARCH_UNKNOWN

static const struct {
	unsigned int architecture;
	unsigned int kind;
	unsigned int period_ms, window_ms;
} timings[] = {
	{NVML_DEVICE_ARCH_HOPPER, SAMPLES, 20, 25},
	{NVML_DEVICE_ARCH_HOPPER, INSTANT, 100, 25},
	{NVML_DEVICE_ARCH_HOPPER, USAGE, 100, 1000},
	{NVML_DEVICE_ARCH_HOPPER, COUNTER, 100, 0},
	{NVML_DEVICE_ARCH_HOPPER, MEMORY_INSTANT, 100, 0},
	{NVML_DEVICE_ARCH_HOPPER, MEMORY_AVERAGE, 100, 1000},
	{NVML_DEVICE_ARCH_ADA, INSTANT, 100, 100},
	{NVML_DEVICE_ARCH_ADA, USAGE, 100, 1000},
	{NVML_DEVICE_ARCH_TURING, USAGE, 100, 100},
	{NVML_DEVICE_ARCH_VOLTA, USAGE, 20, 10},
	{ANY, MEMORY_AVERAGE, 0, 1000},
	{ANY, STATE, 100, 0},
};

static uint64_t known_ns(unsigned int ms)
{
	return ms ? ms * PWRTRACE_NS_PER_MS : PWRTRACE_UNKNOWN_U64;
}

struct power_sensor nvml_describe(const struct nvml_reading *reading)
{
	const struct nvml_kind *kind = reading->kind;
	struct power_sensor sensor = {
		.device = reading->device->uuid,
		.device_name = reading->device->name,
		.pci = reading->device->pci,
		.driver = reading->device->driver,
		.domain = kind->domain,
		.part_of = kind->part_of,
		.quantity = kind->quantity,
		.period_ns = PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.poll_ns = kind->poll_ns,
		.batched = kind->batched,
		.resolution_uw = strcmp(kind->quantity, "power") == 0 ? UW_PER_MW : 0,
		.resolution_nj = strcmp(kind->quantity, "energy") == 0 ? NJ_PER_MJ : 0,
	};

	for (size_t i = 0; i < sizeof(timings) / sizeof(*timings); i++) {
		if (kind != &nvml_kinds[timings[i].kind] ||
			(timings[i].architecture != ANY &&
				timings[i].architecture != reading->device->architecture))
			continue;
		sensor.period_ns = known_ns(timings[i].period_ms);
		sensor.window_ns = known_ns(timings[i].window_ms);
		break;
	}
	return sensor;
}

void nvml_reading_free(struct nvml_reading *reading)
{
	if (reading->kind->release)
		reading->kind->release(reading);
}
