/* SPDX-License-Identifier: MIT */
/*
 * A meter of the user's own, which writes a line per value to a descriptor: "watts" or
 * "time_ns watts".  It measures beside the built-in sensors what they measure too, so that it is
 * never added to them.
 *
 * time_ns may be CLOCK_MONOTONIC or CLOCK_REALTIME; the stamps of any other clock are placed by
 * when they come.  A line without a time is as old as its arrival, to within 10 ms.
 */
#ifndef PWRTRACE_METER_H
#define PWRTRACE_METER_H

#include "preload/power/core/notes.h"
#include "preload/power/core/stamp.h"

#define METER_LINE_MAX 256

struct meter_value {
	uint64_t time_ns;
	uint64_t power_mw;
};

struct meter {
	char name[64];      /* of its domain */
	struct meter *next; /* of those that are open */
	int fd;             /* does not block */
	bool ended;
	struct power_sensor sensor;
	struct power_notes notes;
	char line[METER_LINE_MAX]; /* what came of the next one */
	size_t line_length;
	uint64_t read_ns;            /* when it was last read */
	uint64_t realtime_offset_ns; /* then */
	enum { METER_CLOCK_NOT_KNOWN, METER_MONOTONIC, METER_REALTIME, METER_CLOCK_ITS_OWN } clock;
	struct stamp_clock stamps;
	struct meter_value *values; /* not written yet */
	size_t count, capacity;
	uint64_t written_ns; /* the time of the last one that was */
	bool refused;        /* a line that is none was said */
};

/* Takes the descriptor over.  name: of the program or the file, whose last part is the domain's; it
 * gets "-2", "-3" and so on where an open meter has that already.  The meter stays where it is
 * until meter_end().  Not for several threads at a time. */
void meter_begin(struct meter *meter, int fd, const char *name);

/* Reads all lines that have come.  Returns false once the other end has closed. */
bool meter_read(struct meter *meter);

/* Closes the descriptor and frees what the meter owns. */
void meter_end(struct meter *meter);

/* A line.  Returns 1 with time_ns (PWRTRACE_UNKNOWN_U64 without one) and power_mw, 0 for a comment
 * or an empty line, -1 for anything else. */
int meter_parse(const char *line, struct meter_value *value);

/* Ops of a source whose state begins with its meter. */
size_t meter_sensors(void *state, const struct power_sensor **sensors);
void meter_write(void *state, size_t i, const struct power_sink *sink);
const struct power_note *meter_note(void *state, size_t i);

#endif
