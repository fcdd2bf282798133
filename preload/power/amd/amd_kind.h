/* SPDX-License-Identifier: MIT */
/* What AMD's driver can tell of one device: the kinds of sensors, how each is read and written. */
#ifndef PWRTRACE_AMD_KIND_H
#define PWRTRACE_AMD_KIND_H

#include "preload/power/amd/amd_metrics.h"
#include "preload/power/core/counter.h"
#include "preload/power/core/power.h"
#include "preload/power/core/stamp.h"

struct amd_device {
	char uuid[64]; /* as AMD's own tools print it, else the PCI address */
	char name[160];
	char pci[32];
	char driver[160];
	char problem[1280]; /* why nothing of it can be read, or "" */
	int metrics_fd;
	int power_fd; /* of hwmon, where gpu_metrics says no power */
	int limit_fd;
	struct amd_metrics metrics; /* as last read */
	uint64_t begin_ns, read_ns; /* before and after that */
	uint64_t serial;            /* of that; 0: not read yet */
	int error;                  /* of that: errno, or 0 */
	bool lost;
	struct stamp_clock clock;
	struct counter energy;
};

struct amd_reading {
	const struct amd_kind *kind;
	struct amd_device *device;
	uint64_t serial;  /* of the table that was read for it */
	uint64_t time_ns; /* of the value; 0: the reading failed */
	uint64_t value;
	uint64_t written_stamp;
	struct amd_metrics before; /* the table before, for what throttled since then */
	struct pwrtrace_device_state state;
};

struct amd_kind {
	enum amd_metric metric;
	const char *domain, *part_of;         /* NULL: cards have none */
	const char *apu_domain, *apu_part_of; /* NULL: APUs have none */
	const char *quantity;

	/* Whether the device, whose table was just read, has it. */
	bool (*has)(const struct amd_device *device, const struct amd_kind *kind);

	/* Sets time_ns (0 before the call) and what was read. */
	void (*read)(struct amd_reading *reading);

	/* Hands over a reading that did not fail.  NULL: the value. */
	void (*write)(struct amd_reading *reading, const struct power_sink *sink);
};

extern const struct amd_kind amd_kinds[];
extern const size_t amd_kind_count;

/* The one that every device should have. */
extern const struct amd_kind *const amd_kind_power;

/* Reads the table, unless another sensor of the device has just done so. */
void amd_read_table(struct amd_reading *reading);

/* What the trace says about a reading.  The device's texts are borrowed. */
struct power_sensor amd_describe(const struct amd_reading *reading);

#endif
