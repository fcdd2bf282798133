/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's GPUs through NVML, the driver's own library: power as samples that the driver keeps, an
 * energy counter beside them, the memory's part of the power, clocks and limits.
 *
 * All devices are sampled: which of them the program uses is not known when it starts.  What a
 * driver or a board lacks is replaced by the next best thing, or missing, and said once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/power/core/notes.h"
#include "preload/power/nvml/nvml_kind.h"

/* The driver begins to sample when it is first asked. */
#define FIRST_SAMPLE_TRIES 10
#define FIRST_SAMPLE_WAIT_US 20000

struct nvml {
	struct nvml_api api;
	char driver[16 + NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];
	struct nvml_device *devices;
	size_t device_count;
	struct nvml_reading *readings;
	struct power_sensor *sensors; /* of the readings */
	size_t count;
	struct power_notes notes;
};

static nvml_return read_now(struct nvml_reading *reading)
{
	reading->time_ns = 0;
	return reading->kind->read(reading);
}

static nvml_return try_kind(struct nvml_reading *reading)
{
	nvml_return result = read_now(reading);

	for (int i = 1; i < FIRST_SAMPLE_TRIES && result == NVML_ERROR_NOT_FOUND; i++) {
		usleep(FIRST_SAMPLE_WAIT_US);
		result = read_now(reading);
	}
	return result;
}

/* Returns whether the device has this kind, with a sensor added if so, else why not in result. */
static bool add_sensor(struct nvml *nvml, const struct nvml_device *device,
	const struct nvml_kind *kind, nvml_return *result)
{
	struct nvml_reading *reading = &nvml->readings[nvml->count];

	*reading = (struct nvml_reading){.kind = kind, .device = device};
	if (kind->prepare && kind->prepare(reading))
		return false;
	*result = try_kind(reading);
	if (*result != NVML_SUCCESS) {
		nvml_reading_free(reading);
		return false;
	}
	nvml->sensors[nvml->count++] = nvml_describe(reading);
	return true;
}

static bool same_purpose(const struct nvml_kind *a, const struct nvml_kind *b)
{
	return strcmp(a->domain, b->domain) == 0 && strcmp(a->quantity, b->quantity) == 0;
}

/* Adds the best of the kinds that serve the same purpose as the first.  Returns the kind that
 * follows them. */
static size_t add_best(struct nvml *nvml, const struct nvml_device *device, size_t first)
{
	const struct nvml_kind *best = &nvml_kinds[first];
	const struct nvml_kind *found = NULL;
	nvml_return refusal = NVML_SUCCESS;
	size_t next = first;

	for (; next < nvml_kind_count && same_purpose(best, &nvml_kinds[next]); next++) {
		nvml_return result = NVML_SUCCESS;

		if (!found && add_sensor(nvml, device, &nvml_kinds[next], &result))
			found = &nvml_kinds[next];
		if (next == first)
			refusal = result;
	}
	if (best->expected && found != best)
		power_notes_add(&nvml->notes, best->event, "%s: %s: %s; %s takes its place",
			device->uuid, best->call, nvml->api.nvmlErrorString(refusal),
			found ? found->call : "nothing");
	return next;
}

static void note_mig(struct nvml *nvml, const struct nvml_device *device)
{
	unsigned int current = 0, pending;

	if (NVML_CALL(&nvml->api, nvmlDeviceGetMigMode, device->handle, &current, &pending) ==
			NVML_SUCCESS &&
		current == NVML_DEVICE_MIG_ENABLE)
		power_notes_add(&nvml->notes, "power_sample",
			"%s: MIG is on; power is that of the whole GPU and cannot be split by MIG "
			"instance",
			device->uuid);
}

static void describe_device(const struct nvml *nvml, struct nvml_device *device)
{
	struct nvml_pci_info pci;

	device->driver = nvml->driver;
	if (NVML_CALL(device->api, nvmlDeviceGetName, device->handle, device->name,
		    sizeof(device->name)) != NVML_SUCCESS)
		*device->name = 0;
	if (NVML_CALL(device->api, nvmlDeviceGetPciInfo_v3, device->handle, &pci) == NVML_SUCCESS)
		snprintf(device->pci, sizeof(device->pci), "%04x:%02x:%02x.0", pci.domain, pci.bus,
			pci.device);
	if (NVML_CALL(device->api, nvmlDeviceGetArchitecture, device->handle,
		    &device->architecture) != NVML_SUCCESS)
		device->architecture = NVML_DEVICE_ARCH_UNKNOWN;
}

static void add_device(struct nvml *nvml, unsigned int index)
{
	struct nvml_device *device = &nvml->devices[nvml->device_count];
	nvml_return result;

	device->api = &nvml->api;
	result = nvml->api.nvmlDeviceGetHandleByIndex_v2(index, &device->handle);
	if (result == NVML_SUCCESS)
		result = nvml->api.nvmlDeviceGetUUID(
			device->handle, device->uuid, sizeof(device->uuid));
	if (result != NVML_SUCCESS) {
		power_notes_add(&nvml->notes, "power_sample",
			"GPU %u: %s; its power is not measured", index,
			nvml->api.nvmlErrorString(result));
		return;
	}
	nvml->device_count++;
	describe_device(nvml, device);
	note_mig(nvml, device);
	for (size_t kind = 0; kind < nvml_kind_count;)
		kind = add_best(nvml, device, kind);
}

static void close_nvml(void *state)
{
	struct nvml *nvml = state;

	for (size_t i = 0; i < nvml->count; i++)
		nvml_reading_free(&nvml->readings[i]);
	power_notes_free(&nvml->notes);
	free(nvml->devices);
	free(nvml->readings);
	free(nvml->sensors);
	if (nvml->api.library)
		nvml_api_close(&nvml->api);
	free(nvml);
}

/* Returns 0, or -1 with a line in why. */
static int add_devices(struct nvml *nvml, char *why)
{
	unsigned int count = 0;
	nvml_return result = nvml->api.nvmlDeviceGetCount_v2(&count);

	if (result != NVML_SUCCESS || !count) {
		snprintf(why, POWER_WHY_MAX, "no GPU is found; nvidia-smi -L lists them%s%s",
			result == NVML_SUCCESS ? "" : ": ",
			result == NVML_SUCCESS ? "" : nvml->api.nvmlErrorString(result));
		return -1;
	}
	nvml->devices = calloc(count, sizeof(*nvml->devices));
	nvml->readings = calloc(count * nvml_kind_count, sizeof(*nvml->readings));
	nvml->sensors = calloc(count * nvml_kind_count, sizeof(*nvml->sensors));
	if (!nvml->devices || !nvml->readings || !nvml->sensors) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return -1;
	}
	for (unsigned int i = 0; i < count; i++)
		add_device(nvml, i);
	if (nvml->count)
		return 0;
	snprintf(why, POWER_WHY_MAX, "%s",
		nvml->notes.count ? nvml->notes.list[0].why : "no GPU tells its power");
	return -1;
}

static void read_driver(struct nvml *nvml)
{
	char version[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];

	if (NVML_CALL(&nvml->api, nvmlSystemGetDriverVersion, version, sizeof(version)) ==
		NVML_SUCCESS)
		snprintf(nvml->driver, sizeof(nvml->driver), "nvidia %s", version);
}

static void *open_nvml(const char *argument, char *why)
{
	struct nvml *nvml = calloc(1, sizeof(*nvml));

	(void)argument;
	if (!nvml) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	if (nvml_api_open(&nvml->api, why, POWER_WHY_MAX)) {
		free(nvml);
		return NULL;
	}
	read_driver(nvml);
	if (add_devices(nvml, why)) {
		close_nvml(nvml);
		return NULL;
	}
	return nvml;
}

static size_t nvml_sensors(void *state, const struct power_sensor **sensors)
{
	const struct nvml *nvml = state;

	*sensors = nvml->sensors;
	return nvml->count;
}

static void lose(struct nvml *nvml, const struct nvml_device *lost, nvml_return result)
{
	nvml->devices[lost - nvml->devices].lost = true;
	power_notes_add(&nvml->notes, "power_sample",
		"%s: %s; its power is not measured from here on", lost->uuid,
		nvml->api.nvmlErrorString(result));
}

static void read_nvml(void *state, size_t i)
{
	struct nvml *nvml = state;
	struct nvml_reading *reading = &nvml->readings[i];
	nvml_return result;

	if (reading->device->lost) {
		reading->time_ns = 0;
		return;
	}
	result = read_now(reading);
	if (result == NVML_ERROR_GPU_IS_LOST || result == NVML_ERROR_RESET_REQUIRED)
		lose(nvml, reading->device, result);
}

static void write_nvml(void *state, size_t i, const struct power_sink *sink)
{
	const struct nvml *nvml = state;
	struct nvml_reading *reading = &nvml->readings[i];

	if (reading->time_ns)
		reading->kind->write(reading, sink);
}

static const struct power_note *nvml_note(void *state, size_t i)
{
	const struct nvml *nvml = state;

	return power_notes_at(&nvml->notes, i);
}

const struct power_ops power_nvml = {
	.open = open_nvml,
	.sensors = nvml_sensors,
	.read = read_nvml,
	.write = write_nvml,
	.note = nvml_note,
	.close = close_nvml,
};
