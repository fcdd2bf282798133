/* SPDX-License-Identifier: MIT */
/*
 * Writes traces of the schema without LTTng, in the layout that LTTng gives them, so that tests
 * have any number of streams, any times and any damage they want, without a daemon.
 */
#ifndef PWRTRACE_TESTS_CTF_WRITER_H
#define PWRTRACE_TESTS_CTF_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "pwrtrace/events.h"

struct ctf_writer;

/* Makes directory dir with a metadata file.  flow events go to flow_streams stream files, state
 * events to one.  Returns NULL with errno. */
struct ctf_writer *ctf_writer_open(const char *dir, unsigned flow_streams, size_t packet_bytes);

/* The time and the flow stream of the events that follow; time must not decrease in a stream. */
void ctf_writer_at(struct ctf_writer *writer, uint64_t time_ns, unsigned flow_stream);

/* Says in the current flow stream that count events were discarded. */
void ctf_writer_discard(struct ctf_writer *writer, uint64_t count);

/* Writes what is left and frees the writer.  Returns 0, or -1 when anything could not be written.
 */
int ctf_writer_close(struct ctf_writer *writer);

#define EVENT(name, channel, fields)                                                               \
	void ctf_write_##name(struct ctf_writer *writer, const struct pwrtrace_##name *event);
#include "pwrtrace/events.def"
#undef EVENT

#endif
