/* SPDX-License-Identifier: MIT */
/*
 * Recognizes traces that lie in memory as LTTng-UST 2.x writes pwrtrace's events on this machine:
 * their metadata says so, word for word.
 */
#ifndef PWRTRACE_TRACE_METADATA_H
#define PWRTRACE_TRACE_METADATA_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/trace/plan.h"

/* A class of streams: a channel of LTTng's. */
struct stream_class {
	uint64_t id;
	bool defined;      /* its header is known */
	bool compact;      /* the header of its events: 5 bits of id, 27 of time; else 16 and 32 */
	size_t plan_count; /* one more than the highest id of an event */
	struct plan **plans; /* by the id of the event; NULL: there is none with this id */
};

struct metadata {
	uint8_t uuid[16]; /* of the trace, which each packet repeats */
	size_t class_count;
	struct stream_class *classes;
};

/* Returns what the metadata of a directory says, for what the sink wants; NULL where a packet might
 * hold anything else than this reader knows.  Free it with metadata_free(). */
struct metadata *metadata_read(const char *directory, const struct reader_sink *sink);

/* Returns the stream class with this id, or NULL. */
const struct stream_class *metadata_class(const struct metadata *metadata, uint64_t id);

void metadata_free(struct metadata *metadata);

/* What is to be said of a file `metadata`. */
enum metadata_state {
	METADATA_WHOLE,
	METADATA_TORN,    /* its end is missing */
	METADATA_UNUSUAL, /* not as LTTng writes it here, or it cannot be read */
};

/* Appends to text the metadata of a directory, which lies in its file `metadata` as it is or in
 * packets (CTF 1.8.3, 7.1). */
enum metadata_state metadata_text_read(const char *directory, GString *text);

#endif
