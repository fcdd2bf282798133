/* SPDX-License-Identifier: MIT */
/*
 * What a recording under way says of now: its sensors' last readings, and what its kernels did in
 * the last seconds.  Memory does not grow with the number of launches, nor with time.
 *
 * The energy of a kernel is the simplest honest estimate: in each second, what a sensor measured
 * above the lowest power that it has shown, shared among the kernels of its devices by the time
 * that they ran.  It has no interval; a report has.
 */
#ifndef PWRTRACE_LIVE_LIVE_H
#define PWRTRACE_LIVE_LIVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "pwrtrace/events.h"

#define LIVE_WINDOW_S 10
/* What is older than this has been flushed by LTTng, and is read. */
#define LIVE_AGE_S 2
/* Seconds that are kept: the window, and those that are not over. */
#define LIVE_SECONDS 16

/* A second of CLOCK_MONOTONIC, of a sensor or of a kernel.  It is kept at number % LIVE_SECONDS,
 * until a later one takes its place. */
struct live_second {
	uint64_t number;
	double joules;     /* measured; of kernels 0 */
	uint64_t known_ns; /* of a sensor: for how long that is known; of a kernel: how long it ran
			    */
	uint64_t executions;
};

struct live_sensor {
	struct pwrtrace_sensor_def about;   /* its texts are the sensor's own */
	unsigned trace;                     /* the number of its sub-trace */
	struct pwrtrace_device_state state; /* the last one of its device; unknown: there is none */
	uint64_t time_ns, last_value; /* of the last reading, mW or uJ; PWRTRACE_UNKNOWN_U64 */
	double watts, lowest_w;       /* now, and until now; NaN: not known */
	double joules;                /* since its first reading */
	struct live_second seconds[LIVE_SECONDS];
};

/* A kernel, or a kind of copy, in the window. */
struct live_kernel {
	const char *name; /* as the trace has it; borrowed from the live */
	double joules;    /* estimated; NaN where no sensor tells */
	uint64_t time_ns; /* the sum of its executions */
	uint64_t executions;
};

struct live;

/* Follows the trace in a directory, which is copied. */
struct live *live_new(const char *directory);
void live_free(struct live *live);

/* Takes what is new in the trace.  Returns whether it is still being recorded; where it is not, all
 * of it has been taken. */
bool live_read(struct live *live);

/* What the last live_read() returned. */
bool live_goes_on(const struct live *live);

const char *live_directory(const struct live *live);
const char *live_command(const struct live *live); /* "" before it is known */

/* For how long it has been recorded; 0 before that is known. */
uint64_t live_length_ns(const struct live *live);

/* Now, or where the recording has ended, then (CLOCK_MONOTONIC). */
uint64_t live_now_ns(const struct live *live);

/* How many events LTTng had no room for. */
uint64_t live_discarded(const struct live *live);

/* Its sensors that have readings (const struct live_sensor *); borrowed. */
const GPtrArray *live_sensors(const struct live *live);

/* Returns its kernels in the window of LIVE_WINDOW_S that ended LIVE_AGE_S ago, those of all
 * devices with the same name in one row (struct live_kernel).  The caller frees it with
 * g_array_unref, before the next live_read(). */
GArray *live_kernels(const struct live *live);

#endif
