/* SPDX-License-Identifier: MIT */
/*
 * Writes traces of the schema without LTTng and its daemons, in LTTng's layout, so that tests can
 * choose the number of streams and all times.
 */
#ifndef PWRTRACE_TESTS_CTF_WRITER_H
#define PWRTRACE_TESTS_CTF_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "pwrtrace/events.h"

struct ctf_writer;

/* Makes the directory dir with the metadata file of a schema, 1 or 2.  Events of the channel `flow`
 * go to flow_streams stream files, those of `state` to one.  A packet has packet_bytes.  Returns a
 * writer, which ctf_writer_close frees, or NULL with errno. */
struct ctf_writer *ctf_writer_open(
	const char *dir, unsigned flow_streams, size_t packet_bytes, unsigned schema);

/* The time and the flow stream of the events that follow; time must not decrease in a stream. */
void ctf_writer_at(struct ctf_writer *writer, uint64_t time_ns, unsigned flow_stream);

/* Notes in the current flow stream that LTTng discarded count events. */
void ctf_writer_discard(struct ctf_writer *writer, uint64_t count);

/* Writes what is left and frees the writer.  Returns 0, or -1 if anything could not be written. */
int ctf_writer_close(struct ctf_writer *writer);

/* Write an event.  What the writer's schema does not have is left out. */
#define EVENT(name, channel, fields)                                                               \
	void ctf_write_##name(struct ctf_writer *writer, const struct pwrtrace_##name *event);
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT

#endif
