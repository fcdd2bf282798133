/* SPDX-License-Identifier: MIT */
/*
 * Reads traces: hands each pwrtrace event of a directory, decoded into its struct of events.h, to a
 * sink.  Events of a sub-trace (a directory with CTF metadata, as LTTng writes one per session and
 * user or process) come in the order of their timestamps.
 */
#ifndef PWRTRACE_TRACE_READER_H
#define PWRTRACE_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pwrtrace/events.h"

/* The functions that a reader calls, with data as their first argument. */
struct reader_sink {
	/* An event.  record points to its struct pwrtrace_<event>, which is valid during the call,
	 * as are its strings; fields that the trace does not have are unknown.  trace is the number
	 * of the sub-trace, counted from 0 over all reads; pids are unique only within one. */
	void (*event)(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record);
	/* Whether a field is to be decoded, asked once per event class; other fields are unknown.
	 */
	bool (*wants)(void *data, enum pwrtrace_event_id id, const char *field);
	/* Some of a sub-trace could not be read, and a warning has been printed. */
	void (*damaged)(void *data);
	/* LTTng discarded count events for want of buffer space. */
	void (*discarded)(void *data, uint64_t count);
	void *data;
};

/*
 * Reads all sub-traces at or below a directory, one after the other, so that a damaged one does not
 * stop the others.  Truncated stream files are read up to their last whole packet.  Warns in one
 * line for each part that is left out.  Returns how many sub-traces were read, or -1, after an
 * error message, where there is none.
 */
int reader_read(const char *directory, const struct reader_sink *sink);

#endif
