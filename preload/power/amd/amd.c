/* SPDX-License-Identifier: MIT */
/*
 * AMD's GPUs through sysfs: the driver's table gpu_metrics (amd_metrics.h), and hwmon for what that
 * does not say.
 *
 *   class/drm/card0/device/{uevent,unique_id,product_name,gpu_metrics}
 *   class/drm/card0/device/hwmon/hwmon3/{power1_average,power1_input,power1_cap}     in µW
 *
 * (Linux, Documentation/gpu/amdgpu/thermal.rst.)  AMD's libraries amd-smi and rocm-smi read the
 * same files.
 */
#include "preload/power/core/power.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/conf.h"
#include "preload/power/amd/amd_kind.h"
#include "preload/power/core/drm.h"
#include "preload/power/core/notes.h"
#include "preload/power/core/sysfs.h"

#define DEVICES_MAX 32
#define SENSORS_MAX (DEVICES_MAX * 8)
#define UNITS_PER_S_MAX (UINT64_C(5000) << 16) /* 5 kW: no card draws that */

struct amd {
	struct amd_device devices[DEVICES_MAX];
	size_t device_count;
	struct amd_reading readings[SENSORS_MAX];
	struct power_sensor sensors[SENSORS_MAX]; /* of the readings */
	size_t count;
	struct power_notes notes;
};

static void name_device(struct amd_device *device, const struct drm_card *card)
{
	char id[32];

	snprintf(device->pci, sizeof(device->pci), "%s", card->pci);
	snprintf(device->driver, sizeof(device->driver), "%s", card->driver);
	if (sysfs_text(id, sizeof(id), card->directory, "unique_id") || !*id)
		snprintf(device->uuid, sizeof(device->uuid), "%s", card->pci);
	else
		snprintf(device->uuid, sizeof(device->uuid), "GPU-%s", id);
	if (sysfs_text(device->name, sizeof(device->name), card->directory, "product_name") ||
		!*device->name)
		snprintf(device->name, sizeof(device->name), "AMD GPU %s", card->id);
}

/* Newer kernels have both files for some cards: what is read now before a mean. */
static void open_hwmon(void *data, const char *directory)
{
	static const char *const files[] = {"power1_input", "power1_average"};
	struct amd_device *device = data;
	uint64_t power_uw;

	if (device->limit_fd < 0)
		device->limit_fd = sysfs_open(directory, "power1_cap");
	for (size_t i = 0; device->power_fd < 0 && i < sizeof(files) / sizeof(*files); i++) {
		device->power_fd = sysfs_open(directory, files[i]);
		if (device->power_fd < 0 || !sysfs_reread_number(device->power_fd, &power_uw))
			continue;
		close(device->power_fd);
		device->power_fd = -1;
	}
}

static void close_power(struct amd_device *device)
{
	if (device->power_fd >= 0)
		close(device->power_fd);
	device->power_fd = -1;
}

static void open_device(struct amd_device *device, const struct drm_card *card)
{
	struct amd_reading first = {.device = device};

	device->energy = (struct counter){.range = UINT64_C(1) << 32, .fastest = UNITS_PER_S_MAX};
	device->power_fd = device->limit_fd = -1;
	sysfs_each(card->directory, "hwmon/hwmon*", open_hwmon, device);
	device->metrics_fd = sysfs_open(card->directory, "gpu_metrics");
	if (device->metrics_fd >= 0)
		amd_read_table(&first);
	else
		device->error = errno;
	if (!device->error && device->metrics.value[AMD_SOCKET_MW] != PWRTRACE_UNKNOWN_U64)
		close_power(device);
}

static void add_sensor(struct amd *amd, struct amd_device *device, const struct amd_kind *kind)
{
	struct amd_reading *reading = &amd->readings[amd->count];

	*reading = (struct amd_reading){
		.kind = kind, .device = device, .written_stamp = PWRTRACE_UNKNOWN_U64};
	amd->sensors[amd->count++] = amd_describe(reading);
}

/* A device of which nothing can be read is a sensor with a problem. */
static void add_problem(struct amd *amd, struct amd_device *device, const struct drm_card *card)
{
	if (device->error == EPROTO)
		snprintf(device->problem, sizeof(device->problem),
			"%s/gpu_metrics is of version %u.%u, which this pwrtrace does not know, "
			"and "
			"hwmon has no power; a newer pwrtrace may",
			card->directory, device->metrics.format, device->metrics.content);
	else if (device->error == EPERM)
		snprintf(device->problem, sizeof(device->problem),
			"%s sleeps; to keep it awake: echo on | sudo tee %s/power/control",
			card->pci, card->directory);
	else if (device->error)
		sysfs_problem(device->problem, sizeof(device->problem), card->directory,
			"gpu_metrics", device->error);
	else
		snprintf(device->problem, sizeof(device->problem),
			"%s/gpu_metrics says no power, and neither does hwmon", card->directory);
	add_sensor(amd, device, amd_kind_power);
	amd->sensors[amd->count - 1].problem = device->problem;
}

static void add_device(void *data, const struct drm_card *card)
{
	struct amd *amd = data;
	struct amd_device *device = &amd->devices[amd->device_count];
	size_t before = amd->count;
	bool measured = false;

	if (amd->device_count == DEVICES_MAX || amd->count + amd_kind_count > SENSORS_MAX)
		return;
	amd->device_count++;
	name_device(device, card);
	open_device(device, card);
	for (size_t i = 0; i < amd_kind_count; i++) {
		const struct amd_kind *kind = &amd_kinds[i];

		if (!(device->metrics.apu ? kind->apu_domain : kind->domain) ||
			!kind->has(device, kind))
			continue;
		add_sensor(amd, device, kind);
		measured |= strcmp(kind->quantity, "state") != 0;
	}
	if (measured)
		return;
	amd->count = before;
	add_problem(amd, device, card);
}

static void close_amd(void *state)
{
	struct amd *amd = state;

	for (size_t i = 0; i < amd->device_count; i++) {
		const int fds[] = {amd->devices[i].metrics_fd, amd->devices[i].power_fd,
			amd->devices[i].limit_fd};

		for (size_t k = 0; k < sizeof(fds) / sizeof(*fds); k++)
			if (fds[k] >= 0)
				close(fds[k]);
	}
	power_notes_free(&amd->notes);
	free(amd);
}

static void *open_amd(const char *argument, char *why)
{
	struct amd *amd = calloc(1, sizeof(*amd));

	(void)argument;
	if (!amd) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	drm_each("amdgpu", add_device, amd);
	if (!amd->count) {
		snprintf(why, POWER_WHY_MAX,
			"no GPU of the driver amdgpu in %s/class/drm; sudo modprobe amdgpu, if "
			"there is one",
			conf.sysfs);
		close_amd(amd);
		return NULL;
	}
	return amd;
}

static size_t amd_sensors(void *state, const struct power_sensor **sensors)
{
	const struct amd *amd = state;

	*sensors = amd->sensors;
	return amd->count;
}

static void read_amd(void *state, size_t i)
{
	struct amd *amd = state;
	struct amd_reading *reading = &amd->readings[i];
	struct amd_device *device = reading->device;

	reading->time_ns = 0;
	if (device->lost)
		return;
	reading->kind->read(reading);
	device->lost = sysfs_gone(device->error);
	if (device->lost)
		power_notes_add(&amd->notes, "power_sample",
			"%s: %s; its power is not measured from here on", device->uuid,
			strerror(device->error));
}

static void write_amd(void *state, size_t i, const struct power_sink *sink)
{
	struct amd *amd = state;
	struct amd_reading *reading = &amd->readings[i];

	if (reading->time_ns && reading->kind->write)
		reading->kind->write(reading, sink);
	else if (reading->time_ns)
		sink->value(sink, reading->time_ns, reading->value);
}

static const struct power_note *amd_note(void *state, size_t i)
{
	const struct amd *amd = state;

	return power_notes_at(&amd->notes, i);
}

const struct power_ops power_amd = {
	.open = open_amd,
	.sensors = amd_sensors,
	.read = read_amd,
	.write = write_amd,
	.note = amd_note,
	.close = close_amd,
};
