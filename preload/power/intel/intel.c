/* SPDX-License-Identifier: MIT */
/*
 * Intel's graphics cards through hwmon: energy counters of the card and its parts.
 *
 *   class/drm/card0/device/hwmon/hwmon2/{name,energy1_input,energy1_label,power1_max}   in µJ, µW
 *
 * (Linux, Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon and ...-xe-hwmon.)  The hwmon
 * "i915" is the card's, "i915_gt0" a tile's; that of xe has channels "card" and "pkg".  The
 * counters are 64 bits wide; i915 extends one of 32 bits each time it is read, which must be at
 * least every few minutes.  Graphics within a processor have no such counter: RAPL's uncore is
 * theirs.
 */
#include "preload/power/core/power.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/power/core/counter.h"
#include "preload/power/core/drm.h"
#include "preload/power/core/notes.h"
#include "preload/power/core/sysfs.h"
#include "preload/power/intel/intel_state.h"

#define DEVICES_MAX 32
#define CHANNELS_MAX 8 /* energy1_input ... of one hwmon */
#define SENSORS_MAX (DEVICES_MAX * 8)
#define CARD "gpu"

struct device {
	char name[64];
	char pci[32];
	char driver[160];
	struct intel_state state;
	bool lost;
};

struct reading {
	struct device *device;
	char domain[32];
	char problem[1280];
	int energy_fd; /* -1: this is the device's state */
	struct counter energy;
	uint64_t time_ns; /* 0: the reading failed */
};

struct intel {
	struct device devices[DEVICES_MAX];
	size_t device_count;
	struct reading readings[SENSORS_MAX];
	struct power_sensor sensors[SENSORS_MAX]; /* of the readings */
	size_t count;
	struct power_notes notes;
};

static struct reading *add_reading(
	struct intel *intel, struct device *device, const char *domain, const char *quantity)
{
	struct reading *reading = &intel->readings[intel->count];

	*reading = (struct reading){.device = device, .energy_fd = -1};
	snprintf(reading->domain, sizeof(reading->domain), "%s", domain);
	intel->sensors[intel->count++] = (struct power_sensor){
		.device = device->pci,
		.device_name = device->name,
		.pci = device->pci,
		.driver = device->driver,
		.domain = reading->domain,
		.part_of = "",
		.quantity = quantity,
		.period_ns = PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.resolution_nj = strcmp(quantity, "energy") == 0 ? 1000 : 0,
		.poll_ns = 100 * PWRTRACE_NS_PER_MS,
	};
	return reading;
}

static void add_channel(struct intel *intel, struct device *device, const char *directory,
	const char *name, unsigned int channel)
{
	char file[32], label[32], domain[32];
	struct reading *reading;
	uint64_t energy_uj;
	int fd;

	snprintf(file, sizeof(file), "energy%u_input", channel);
	fd = sysfs_open(directory, file);
	if ((fd < 0 && errno == ENOENT) || intel->count == SENSORS_MAX)
		return;
	snprintf(label, sizeof(label), "energy%u_label", channel);
	if (strncmp(name, "i915_", strlen("i915_")) == 0)
		snprintf(domain, sizeof(domain), "%s", name + strlen("i915_"));
	else if (sysfs_text(domain, sizeof(domain), directory, label) ||
		 strcmp(domain, "card") == 0)
		strcpy(domain, CARD);
	reading = add_reading(intel, device, domain, "energy");
	reading->energy_fd = fd;
	if (fd >= 0 && !sysfs_reread_number(fd, &energy_uj))
		return;
	sysfs_problem(reading->problem, sizeof(reading->problem), directory, file, errno);
	intel->sensors[intel->count - 1].problem = reading->problem;
}

struct hwmon_search {
	struct intel *intel;
	struct device *device;
};

static void add_hwmon(void *data, const char *directory)
{
	const struct hwmon_search *search = data;
	char name[32];

	if (sysfs_text(name, sizeof(name), directory, "name"))
		return;
	for (unsigned int channel = 1; channel <= CHANNELS_MAX; channel++)
		add_channel(search->intel, search->device, directory, name, channel);
	intel_state_add_hwmon(&search->device->state, directory);
}

/* The card's counter includes the others; where it has none, each stands for itself. */
static void find_parts(struct power_sensor *sensors, size_t count)
{
	bool card = false;

	for (size_t i = 0; i < count; i++)
		card |= strcmp(sensors[i].domain, CARD) == 0 && !sensors[i].problem;
	for (size_t i = 0; i < count; i++) {
		if (card && strcmp(sensors[i].domain, CARD) != 0)
			sensors[i].part_of = CARD;
		else
			sensors[i].poll_ns = 10 * PWRTRACE_NS_PER_MS;
	}
}

static void add_device(void *data, const struct drm_card *card)
{
	struct intel *intel = data;
	struct device *device = &intel->devices[intel->device_count];
	size_t before = intel->count;

	if (intel->device_count == DEVICES_MAX)
		return;
	snprintf(device->name, sizeof(device->name), "Intel GPU %s", card->id);
	snprintf(device->pci, sizeof(device->pci), "%s", card->pci);
	snprintf(device->driver, sizeof(device->driver), "%s", card->driver);
	intel_state_open(&device->state, card->directory);
	sysfs_each(
		card->directory, "hwmon/hwmon*", add_hwmon, &(struct hwmon_search){intel, device});
	if (intel->count == before) {
		intel_state_close(&device->state);
		return;
	}
	intel->device_count++;
	find_parts(intel->sensors + before, intel->count - before);
	if (intel->count < SENSORS_MAX)
		add_reading(intel, device, intel->readings[before].domain, "state");
}

static void close_intel(void *state)
{
	struct intel *intel = state;

	for (size_t i = 0; i < intel->device_count; i++)
		intel_state_close(&intel->devices[i].state);
	for (size_t i = 0; i < intel->count; i++)
		if (intel->readings[i].energy_fd >= 0)
			close(intel->readings[i].energy_fd);
	power_notes_free(&intel->notes);
	free(intel);
}

static void *open_intel(const char *argument, char *why)
{
	struct intel *intel = calloc(1, sizeof(*intel));

	(void)argument;
	if (!intel) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	drm_each("i915", add_device, intel);
	drm_each("xe", add_device, intel);
	if (!intel->count) {
		snprintf(why, POWER_WHY_MAX,
			"no graphics card of the drivers i915 or xe with an energy counter in "
			"%s/class/drm; graphics within a processor are measured by rapl",
			conf.sysfs);
		close_intel(intel);
		return NULL;
	}
	return intel;
}

static size_t intel_sensors(void *state, const struct power_sensor **sensors)
{
	const struct intel *intel = state;

	*sensors = intel->sensors;
	return intel->count;
}

/* Returns whether it could be read. */
static bool read_energy(struct intel *intel, struct reading *reading)
{
	struct device *device = reading->device;
	uint64_t energy_uj;

	if (!sysfs_reread_number(reading->energy_fd, &energy_uj)) {
		counter_read(&reading->energy, energy_uj, clock_now_ns());
		return true;
	}
	device->lost = sysfs_gone(errno);
	if (device->lost)
		power_notes_add(&intel->notes, "energy_counter",
			"%s: %s; its energy is not measured from here on", device->pci,
			strerror(errno));
	return false;
}

static void read_intel(void *state, size_t i)
{
	struct intel *intel = state;
	struct reading *reading = &intel->readings[i];
	uint64_t begin_ns = clock_now_ns();
	bool read = true;

	reading->time_ns = 0;
	if (reading->device->lost)
		return;
	if (reading->energy_fd >= 0)
		read = read_energy(intel, reading);
	else
		intel_state_read(&reading->device->state);
	if (read)
		reading->time_ns = begin_ns + (clock_now_ns() - begin_ns) / 2;
}

static void write_intel(void *state, size_t i, const struct power_sink *sink)
{
	struct intel *intel = state;
	struct reading *reading = &intel->readings[i];
	struct pwrtrace_device_state *now = &reading->device->state.now;

	if (!reading->time_ns)
		return;
	if (reading->energy_fd >= 0) {
		sink->value(sink, reading->time_ns, reading->energy.total);
		return;
	}
	now->time_ns = reading->time_ns;
	sink->state(sink, now);
}

static const struct power_note *intel_note(void *state, size_t i)
{
	const struct intel *intel = state;

	return power_notes_at(&intel->notes, i);
}

const struct power_ops power_intel = {
	.open = open_intel,
	.sensors = intel_sensors,
	.read = read_intel,
	.write = write_intel,
	.note = intel_note,
	.close = close_intel,
};
