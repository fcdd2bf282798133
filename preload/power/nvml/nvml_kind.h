/* SPDX-License-Identifier: MIT */
/* What NVML can tell of one device: the kinds of sensors, how each is read and written. */
#ifndef PWRTRACE_NVML_KIND_H
#define PWRTRACE_NVML_KIND_H

#include <stdbool.h>

#include "preload/common/clock.h"
#include "preload/power/core/power.h"
#include "preload/power/nvml/nvml_api.h"
#include "pwrtrace/events.h"

struct nvml_device {
	const struct nvml_api *api;
	nvmlDevice_t handle;
	char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE]; /* "GPU-..." */
	char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
	char pci[32];
	const char *driver;
	unsigned int architecture; /* NVML_DEVICE_ARCH_... */
	bool lost;
};

struct nvml_ring;
struct nvml_state;

/* One sensor of a device, and what was last read of it. */
struct nvml_reading {
	const struct nvml_kind *kind;
	const struct nvml_device *device;
	uint64_t time_ns; /* when it was read; 0: the reading failed */
	uint64_t value;   /* mW or mJ */
	struct nvml_ring *ring;
	struct nvml_state *state;
};

struct nvml_kind {
	const char *call; /* how NVML names it */
	const char *domain, *part_of, *quantity;
	const char *event; /* what is missing from the trace where it cannot be read */
	bool expected;     /* every device should have it */
	uint64_t poll_ns;
	bool batched;
	unsigned int field, scope; /* for nvmlDeviceGetFieldValues */

	/* Allocates what a reading needs.  NULL: nothing. */
	int (*prepare)(struct nvml_reading *reading);

	/* Sets time_ns (0 before the call) and what was read. */
	nvml_return (*read)(struct nvml_reading *reading);

	/* Hands over a reading that did not fail. */
	void (*write)(struct nvml_reading *reading, const struct power_sink *sink);

	/* Frees what prepare allocated.  NULL: nothing. */
	void (*release)(struct nvml_reading *reading);
};

/* Kinds with the same domain and quantity stand together, the best one first: a device has one of
 * them. */
extern const struct nvml_kind nvml_kinds[];
extern const size_t nvml_kind_count;

/* Sets the time of a reading that began at begin_ns, if it did not fail.  Returns result. */
static inline nvml_return nvml_stamp(
	struct nvml_reading *reading, nvml_return result, uint64_t begin_ns)
{
	if (result == NVML_SUCCESS)
		reading->time_ns = begin_ns + (clock_now_ns() - begin_ns) / 2;
	return result;
}

/* What the trace says about a reading.  The device's texts are borrowed. */
struct power_sensor nvml_describe(const struct nvml_reading *reading);

/* Frees what a reading owns, not the reading. */
void nvml_reading_free(struct nvml_reading *reading);

#endif
