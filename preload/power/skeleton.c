/* SPDX-License-Identifier: MIT */
/*
 * How to add a family of sensors.  This file is compiled, so that it stays true, but has no row in
 * power_sources.def: it reads a device "class/skeleton/0" that exists nowhere.
 *
 *   1  Copy it to preload/power/<family>.c and rename what is called skeleton.
 *   2  Replace the body of each function by what your hardware needs.
 *   3  Drop "static" and "unused" from the last object and add a row to
 *      preload/common/power_sources.def: --power, its help, its error messages and the manual page
 *      of PWRTRACE_POWER follow from that.
 *
 * rapl.c shows energy counters that wrap, amd.c and nvml.c tables of kinds of sensors, meter.c many
 * values at once with times of their own, recorded.c sensors found at run time, model.c a source
 * without samples.  A test makes the files it needs below a directory of its own
 * (tests/unit/preload/tree.h).
 *
 * All functions of one source are called from one thread at a time.  The process may be the user's
 * own: change no signal, no environment and no working directory, and leave no descriptor open to
 * children (O_CLOEXEC).
 */
#include "preload/power/core/power.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/power/core/notes.h"
#include "preload/power/core/sysfs.h"
#include "pwrtrace/units.h"

struct skeleton {
	struct power_sensor sensor;
	char problem[512];
	int power_fd;
	bool lost;
	struct power_notes notes;
	uint64_t time_ns; /* of the last reading, 0 where it failed */
	uint64_t power_mw;
};

/* What the trace says about the sensor.  device must match the device as the GPU's API describes
 * it: prefer its uuid or PCI address to its name, and "0" (its ordinal) is the last resort.
 * Times that no data sheet states and nobody measured are unknown: do not guess them. */
static const struct power_sensor skeleton_sensor = {
	.device = "gpu",
	.domain = "gpu",
	.part_of = "",       /* top-level: its joules are summed; else the domain that holds it, or
				"*" beside the others */
	.quantity = "power", /* or "energy": then hand over microjoules, counted up */
	.period_ns = 10 * PWRTRACE_NS_PER_MS, /* how often the hardware has a new value */
	.window_ns = PWRTRACE_UNKNOWN_U64,    /* the time that one value is an average of */
	.lag_ns = PWRTRACE_UNKNOWN_U64,       /* how old a value is when it appears */
	.resolution_uw = 1000,                /* the least step of a value */
	.poll_ns =
		5 * PWRTRACE_NS_PER_MS, /* twice as often as there are new values, to miss none */
};

/* Runs before the program starts.  A family that is not there is no error of the user's, but the
 * line in why is shown to one who asked for it by name: say what is missing and what to do.  A
 * sensor that is there and cannot be read has a problem instead: listings show it. */
static void *open_skeleton(const char *argument, char *why)
{
	struct skeleton *skeleton = calloc(1, sizeof(*skeleton));
	char directory[PATH_MAX];

	(void)argument; /* always "": its row has "" */
	if (!skeleton) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	snprintf(directory, sizeof(directory), "%s/class/skeleton/0", conf.sysfs);
	skeleton->sensor = skeleton_sensor;
	skeleton->power_fd = sysfs_open(directory, "power_mw");
	if (skeleton->power_fd < 0 && errno == ENOENT) {
		snprintf(
			why, POWER_WHY_MAX, "no skeleton in %s; sudo modprobe skeleton", directory);
		free(skeleton);
		return NULL;
	}
	if (skeleton->power_fd < 0) {
		sysfs_problem(
			skeleton->problem, sizeof(skeleton->problem), directory, "power_mw", errno);
		skeleton->sensor.problem = skeleton->problem;
	}
	return skeleton;
}

static size_t skeleton_sensors(void *state, const struct power_sensor **sensors)
{
	const struct skeleton *skeleton = state;

	*sensors = &skeleton->sensor;
	return 1;
}

/* Only touches the hardware: the sampler times it, and writes its cost into the trace.  i is the
 * sensor's place among those of skeleton_sensors. */
static void read_skeleton(void *state, size_t i)
{
	struct skeleton *skeleton = state;

	(void)i;
	skeleton->time_ns = 0;
	if (skeleton->lost)
		return;
	if (!sysfs_reread_number(skeleton->power_fd, &skeleton->power_mw)) {
		skeleton->time_ns = clock_now_ns();
		return;
	}
	skeleton->lost = sysfs_gone(errno);
	if (skeleton->lost)
		power_notes_add(&skeleton->notes, "power_sample",
			"%s; its power is not measured from here on", strerror(errno));
}

/* A reading that failed is not handed over: the report shows the gap.  A zero would be a lie. */
static void write_skeleton(void *state, size_t i, const struct power_sink *sink)
{
	const struct skeleton *skeleton = state;

	(void)i;
	if (skeleton->time_ns)
		sink->value(sink, skeleton->time_ns, skeleton->power_mw);
}

static const struct power_note *skeleton_note(void *state, size_t i)
{
	const struct skeleton *skeleton = state;

	return power_notes_at(&skeleton->notes, i);
}

static void close_skeleton(void *state)
{
	struct skeleton *skeleton = state;

	if (skeleton->power_fd >= 0)
		close(skeleton->power_fd);
	power_notes_free(&skeleton->notes);
	free(skeleton);
}

static const struct power_ops power_skeleton __attribute__((unused)) = {
	.open = open_skeleton,
	.sensors = skeleton_sensors,
	.read = read_skeleton,
	.write = write_skeleton,
	.note = skeleton_note,
	.close = close_skeleton,
};
