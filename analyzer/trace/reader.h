/* SPDX-License-Identifier: MIT */
/*
 * Reads traces: hands each pwrtrace event of a directory, decoded into its struct of events.h, to a
 * sink.  Events of a sub-trace (a directory with CTF metadata, as LTTng writes one per session and
 * user or process) come in the order of their timestamps; those with the same timestamp in the
 * order of the names of their stream files.
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
	 * of the sub-trace, counted from 0 over all reads; ids are unique only within one. */
	void (*event)(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record);
	/* Whether a field is to be decoded, asked once per event class; others are unknown. */
	bool (*wants)(void *data, enum pwrtrace_event_id id, const char *field);
	/* Whether the sub-trace in a directory is to be read, asked before each.  NULL: all are. */
	bool (*is_new)(void *data, const char *directory);
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
 * error message, where there is none and none was left out as not new.
 */
int reader_read(const char *directory, const struct reader_sink *sink);

/* Whether the trace in a directory is being recorded: pwrtrace record holds a lock on its file
 * .recording until it is complete. */
bool reader_is_recorded(const char *directory);

/* What became of a sub-trace. */
enum reading {
	READING_DONE,    /* what can be read is read */
	READING_FAILED,  /* nothing can be read, and a warning has been printed */
	READING_REFUSED, /* another way to read it has to be taken */
};

/* A way to read the sub-trace in a directory, which has this number. */
typedef enum reading reader_method(
	const char *directory, unsigned trace, const struct reader_sink *sink);

/* Takes the packets as LTTng-UST 2.x writes them on x86-64 (metadata.h).  Refuses, before the sink
 * gets anything, where the metadata says anything else, or a stream lies in several files. */
reader_method packets_read;

/* Lets libbabeltrace2 read whatever it can read. */
reader_method babeltrace_read;

/* reader_read() by one way alone. */
int reader_read_by(const char *directory, const struct reader_sink *sink, reader_method *method);

#endif
