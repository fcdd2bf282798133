/* SPDX-License-Identifier: MIT */
/*
 * Reading traces: every pwrtrace event of some directories, decoded into the structs of events.h,
 * in the order in which they were written.
 */
#ifndef PWRTRACE_TRACE_READER_H
#define PWRTRACE_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pwrtrace/events.h"

struct reader_sink {
	/* An event: record points to its struct pwrtrace_<event>, valid for the call, its strings
	 * too.  Fields that the trace does not have are unknown. trace: which sub-trace it is of,
	 * counted from 0 over all reads; pids mean something only within one. */
	void (*event)(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record);
	/* Whether a field is worth decoding, asked once per event class; what is not stays unknown.
	 */
	bool (*wants)(void *data, enum pwrtrace_event_id id, const char *field);
	/* A sub-trace is torn or damaged: some of it was left out, which has been said. */
	void (*damaged)(void *data);
	/* LTTng had no room for count events. */
	void (*discarded)(void *data, uint64_t count);
	void *data;
};

/*
 * Reads what lies in the directory: all sub-traces below it, each apart, so that a broken one
 * costs only itself.  Torn stream files are read up to the tear.  What is left out is said on
 * stderr in one line each.  Returns how many sub-traces were read, or -1 after saying why the
 * directory is no trace.
 */
int reader_read(const char *directory, const struct reader_sink *sink);

#endif
