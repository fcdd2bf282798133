/* SPDX-License-Identifier: MIT */
/* Writes the events of ctf_events.def as a CTF trace, by libbabeltrace2. */
#ifndef PWRTRACE_CTF_WRITER_H
#define PWRTRACE_CTF_WRITER_H

#include <stdbool.h>
#include <stdint.h>

enum ctf_event {
#define EVENT(name, ...) CTF_##name,
#include "analyzer/view/ctf/ctf_events.def"
#undef EVENT
	CTF_EVENTS
};

/* The value of a field, by the type of the field. */
union ctf_value {
	uint64_t count;
	double real;
	const char *text;
	const uint64_t *sizes; /* three; NULL: not known */
};

struct ctf_writer;

/* Begins a trace in a directory that is not there yet; end it with ctf_writer_close. */
struct ctf_writer *ctf_writer_new(const char *directory);

/* Writes an event with a value for each of its fields.  Its time must not be before that of the
 * event written last. */
void ctf_writer_put(struct ctf_writer *writer, enum ctf_event event, uint64_t time_ns,
	const union ctf_value *values);

/* Ends the trace and frees the writer.  Returns whether all streams were written; of its metadata
 * the library does not say. */
bool ctf_writer_close(struct ctf_writer *writer);

#endif
