/* SPDX-License-Identifier: MIT */
/* The sources of one recording: those of a list like "rapl,replay:FILE", or what the machine has.
 * They need no tracepoints and start no thread: a listing opens, reads and closes them as well. */
#ifndef PWRTRACE_POWER_SOURCES_H
#define PWRTRACE_POWER_SOURCES_H

#include "preload/power/core/power.h"

#define SOURCES_MAX 16

struct power_source {
	const char *name;
	const struct power_ops *ops;
	void *state; /* NULL: it could not be opened */
	const struct power_sensor *sensors;
	size_t sensor_count;
	char problem[POWER_WHY_MAX]; /* "", or one line: why it could not be opened, what to do */
};

/* Owns the states; zero before sources_open. */
struct power_sources {
	struct power_source list[SOURCES_MAX];
	size_t count;
	char text[256]; /* the list, as the recording event names it */

	/* Where the model had to be taken although there are sensors: the source that has them, and
	 * why they cannot be read; else NULL and "". */
	const char *passed_over;
	char problem[POWER_WHY_MAX];
};

/* Opens what the list names; "": every real sensor found, else the model.  Each has at least one
 * sensor without a problem.  Returns 0, or -1 with one line in why (size bytes); until it returns,
 * why is the name of the source that is being opened. */
int sources_open(struct power_sources *sources, const char *list, char *why, size_t size);

/* Opens what the list names, "": whatever this machine could have, and keeps what cannot be opened
 * or read, with its problem.  Returns as sources_open does, -1 only for a wrong list. */
int sources_list(struct power_sources *sources, const char *list, char *why, size_t size);

/* Also after sources_open failed. */
void sources_close(struct power_sources *sources);

/* The part_of of one of the sources' sensors, never NULL: a CPU package is not a top-level domain
 * where another sensor's joules include it. */
const char *source_part_of(const struct power_sources *sources, const struct power_sensor *sensor);

/* Reads sensor i, which has no problem, a few times.  Returns the least time that this took, in ns:
 * the first readings find cold caches, any may be interrupted. */
uint64_t source_read_cost_ns(const struct power_source *source, size_t i);

#endif
