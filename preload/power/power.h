/* SPDX-License-Identifier: MIT */
/*
 * Sources of power: one file per family of sensors and one row in power.c.  skeleton.c is a
 * commented start for a new one.
 *
 * A source is opened to see what it has, and after that lives in the sampler's thread.
 */
#ifndef PWRTRACE_POWER_H
#define PWRTRACE_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POWER_WHY_MAX 1024

/* One sensor, as it goes into sensor_def (events.def says what the words mean).  The strings
 * belong to the source and live until close.  Times that are not known are
 * PWRTRACE_UNKNOWN_U64. */
struct power_sensor {
	const char *device;
	const char *domain;
	const char *part_of;
	const char *quantity;
	uint64_t period_ns;
	uint64_t window_ns;
	uint64_t lag_ns;
	uint64_t poll_ns; /* how often it is read, unless that costs too much; 0: never */
};

/* What a source needs to know to write the samples of one sensor. */
struct power_span {
	uint32_t pid;
	uint32_t sensor;   /* its id */
	bool first;        /* nothing was written since the sensors were defined */
	uint64_t begin_ns; /* when the recording began */
	uint64_t now_ns;
};

/* Something that a source cannot measure, or not as well as it should. */
struct power_note {
	const char *what; /* the event that is missing or worse, for lost */
	const char *why;  /* one line: what is wrong and what that means */
};

struct power_source {
	const char *name;
	const char *argument; /* what stands behind "name:", for the help; NULL if nothing may */
	const char *help;
	bool automatic; /* used without being asked for, where it opens */

	/* Finds the sensors.  argument is "" if none was given.  Returns the source's state, or
	 * NULL with one line in why (POWER_WHY_MAX bytes): what is missing and what to do. */
	void *(*open)(const char *argument, char *why);

	/* Points *sensors at the array of what was found (owned by the state) and returns its size.
	 */
	size_t (*sensors)(void *state, const struct power_sensor **sensors);

	/* Reads sensor i of the array; timed to find out what that costs, and perhaps done several
	 * times before a write.  NULL: nothing to read. */
	void (*read)(void *state, size_t i);

	/* Writes what was read of sensor i as the events of its quantity.  NULL: no samples. */
	void (*write)(void *state, size_t i, const struct power_span *span);

	/* Returns the i-th thing to say, in the order in which they turned up, or NULL where there
	 * are no more (yet).  Each is said once and written as lost.  Owned by the state.  NULL:
	 * never anything. */
	const struct power_note *(*note)(void *state, size_t i);

	void (*close)(void *state);
};

/* All sources, ended by NULL. */
extern const struct power_source *const power_sources[];

/* Returns the source called name[0..length), or NULL. */
const struct power_source *power_find(const char *name, size_t length);

/* The source that estimates, for machines where no sensor is found. */
extern const struct power_source power_model;
extern const struct power_source power_nvml;
extern const struct power_source power_rapl;
extern const struct power_source power_replay;

#endif
