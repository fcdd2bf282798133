/* SPDX-License-Identifier: MIT */
/*
 * The readers of a recording, one per sensor: how often it is read, what that costs, and its values
 * on their way into the trace.
 */
#ifndef PWRTRACE_READER_H
#define PWRTRACE_READER_H

#include "preload/power/sources.h"

#define READER_RECENT 8

struct reader {
	const struct power_source *source;
	size_t index; /* among its source's sensors */
	const char *part_of;
	uint32_t pid; /* who reads */
	uint32_t id;
	uint64_t wanted_ns; /* the time between two readings if they cost nothing; 0: none */
	uint64_t poll_ns;   /* as it is */
	uint64_t due_ns;
	uint64_t read_cost_ns; /* before the recording */
	uint64_t recent_cost_ns[READER_RECENT];
	uint64_t readings;

	/* Since the definitions were written: */
	struct pwrtrace_device_state state; /* pid 0: none */
	uint64_t value_ns;                  /* of the last value; 0: none */
	uint64_t value;
};

/* Makes the readers of all sensors that have no problem.  Returns an array for free(), or NULL
 * where memory is short or there is none; its size in *count. */
struct reader *readers_make(const struct power_sources *sources, size_t *count);

/* Measures what readings cost, and decides how often to read: a reading takes at most
 * PWRTRACE_POLL_COST of the time between two, and where the readings of an hour would take more
 * than 30 MB, those that are asked for one value at a time are made less often, down to 65 a second
 * in all. */
void readers_plan(struct reader *readers, size_t count);

/* Writes the definition; from here on values are written. */
void reader_describe(struct reader *reader);

/* Reads, and writes what was read if the sensor is described. */
void reader_sample(struct reader *reader, bool described, uint64_t begin_ns, uint64_t now_ns);

/* Says what is missing at the end of a recording. */
void reader_finish(struct reader *reader, uint64_t end_ns);

#endif
