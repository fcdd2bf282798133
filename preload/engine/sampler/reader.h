/* SPDX-License-Identifier: MIT */
/*
 * The readers of a recording, one per sensor.  A reader decides how often its sensor is read,
 * measures what that costs, and writes the values into the trace.  On the sampler's thread, but for
 * readers_make and readers_plan, which are called before it starts.
 */
#ifndef PWRTRACE_READER_H
#define PWRTRACE_READER_H

#include "preload/power/sources.h"

#define READER_RECENT 8

struct reader {
	const struct power_source *source;
	size_t index; /* among its source's sensors */
	const char *part_of;
	uint32_t id;        /* in the trace */
	uint64_t wanted_ns; /* the time between two readings if they cost nothing; 0: not read */
	uint64_t poll_ns;   /* the time between two readings */
	uint64_t due_ns;
	uint64_t read_cost_ns; /* as sensor_def says it */
	uint64_t recent_cost_ns[READER_RECENT];
	uint64_t readings;

	/* Since the definitions were written: */
	struct pwrtrace_device_state state; /* process 0: none */
	uint64_t value_ns;                  /* of the last value; 0: none */
	uint64_t value;
};

/* Makes a reader of each sensor that has no problem.  Returns an array of *count readers for
 * free(), NULL if memory runs out.  The sources must outlive it. */
struct reader *readers_make(const struct power_sources *sources, size_t *count);

/* Measures what readings cost, and decides how often to read.  A reading takes at most
 * PWRTRACE_POLL_COST of the time between two.  If the readings of an hour would take more than 30
 * MB, sensors that give one value per reading are read less often, down to 65 values a second in
 * all. */
void readers_plan(struct reader *readers, size_t count);

/* Writes the definition.  Values may be written from now on. */
void reader_describe(struct reader *reader);

/* Reads the sensor; writes the values if it is described (reader_describe).  begin_ns: of the
 * recording. */
void reader_sample(struct reader *reader, bool described, uint64_t begin_ns, uint64_t now_ns);

/* The event that has a sensor's readings. */
const char *reader_event(const struct power_sensor *sensor);

/* Writes as lost what is missing at the end of a recording. */
void reader_finish(struct reader *reader, uint64_t end_ns);

#endif
