/* SPDX-License-Identifier: MIT */
/*
 * Sources of power: one file per family of sensors and one row in power_sources.def.  skeleton.c is
 * a commented start for a new one.
 *
 * A source is opened to see what it has, and after that lives in the sampler's thread.
 */
#ifndef PWRTRACE_POWER_H
#define PWRTRACE_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pwrtrace/events.h"

#define POWER_WHY_MAX 1024

/*
 * One sensor and its measured character, as they go into sensor_def (events.def says what the words
 * mean).  The strings belong to the source and live until close; NULL reads as "".  Times that are
 * not known are PWRTRACE_UNKNOWN_U64.
 */
struct power_sensor {
	const char *device;      /* what tells it from all others: a UUID, or a PCI address */
	const char *device_name; /* what people call it */
	const char *pci;         /* "0000:03:00.0" */
	const char *driver;      /* with its version: a response holds for one driver */
	const char *domain;
	const char *part_of;
	const char *quantity; /* "power" is a gauge, "energy" and "busy" count */
	uint64_t period_ns;
	uint64_t window_ns;
	uint64_t lag_ns;
	uint64_t resolution_uw; /* the least step of a power; 0: not known, or no power */
	uint64_t resolution_nj; /* the least step of an energy; 0: not known, or no energy */
	uint64_t poll_ns;       /* how often it is read, unless that costs too much; 0: never */
	bool batched;           /* one reading has all values since the one before */
	bool holds_cpu;         /* its joules include those of the CPU's packages */
	const char *problem;    /* NULL, or one line: why it cannot be read and what to do */
};

/* A state of which nothing is known yet. */
#define POWER_STATE_UNKNOWN                                                                        \
	((struct pwrtrace_device_state){                                                           \
		.sm_clock_mhz = PWRTRACE_UNKNOWN_U32,                                              \
		.memory_clock_mhz = PWRTRACE_UNKNOWN_U32,                                          \
		.limit_mw = PWRTRACE_UNKNOWN_U32,                                                  \
		.temperature_c = PWRTRACE_UNKNOWN_U32,                                             \
		.throttle_reasons = PWRTRACE_UNKNOWN_U64,                                          \
		.edpp_limit_mw = PWRTRACE_UNKNOWN_U32,                                             \
		.sm_percent = PWRTRACE_UNKNOWN_U32,                                                \
		.tensor_percent = PWRTRACE_UNKNOWN_U32,                                            \
		.memory_percent = PWRTRACE_UNKNOWN_U32,                                            \
	})

/* Where what was read of one sensor goes: the trace, or whoever watches. */
struct power_sink {
	uint64_t begin_ns; /* of the recording: what is older than that need not be told */
	uint64_t now_ns;

	/* value: mW, or µJ or busy ns counted up from anywhere, as the sensor's quantity says. */
	void (*value)(const struct power_sink *sink, uint64_t time_ns, uint64_t value);

	/* process and sensor need not be filled in.  What does not change is written once. */
	void (*state)(
		const struct power_sink *sink, const struct pwrtrace_device_state *device_state);
};

/* Something that a source cannot measure, or not as well as it should. */
struct power_note {
	const char *what; /* the event that is missing or worse, for lost */
	const char *why;  /* one line: what is wrong and what that means */
};

struct power_ops {
	/* Finds the sensors, those with a problem too.  argument is "" if none was given.  Returns
	 * the source's state, or NULL with one line in why (POWER_WHY_MAX bytes): what is missing
	 * and what to do. */
	void *(*open)(const char *argument, char *why);

	/* Points *sensors at the array of what was found (owned by the state) and returns its size.
	 */
	size_t (*sensors)(void *state, const struct power_sensor **sensors);

	/* Reads sensor i of the array, which has no problem; timed to find out what that costs, and
	 * perhaps done several times before a write.  NULL: nothing to read. */
	void (*read)(void *state, size_t i);

	/* Hands over what was read of sensor i: nothing where the reading failed.  NULL: no
	 * samples. */
	void (*write)(void *state, size_t i, const struct power_sink *sink);

	/* Gathers all that there is by now, within a second: called once, before its last writes
	 * and after those of sources without it.  NULL: nothing to gather. */
	void (*finish)(void *state);

	/* Returns the i-th thing to say, in the order in which they turned up, or NULL where there
	 * are no more (yet).  Each is said once and written as lost.  Owned by the state.  NULL:
	 * never anything. */
	const struct power_note *(*note)(void *state, size_t i);

	void (*close)(void *state);
};

/* Each source's ops. */
#define POWER_SOURCE(name, ...) extern const struct power_ops power_##name;
#include "preload/common/power_sources.def"
#undef POWER_SOURCE

#endif
