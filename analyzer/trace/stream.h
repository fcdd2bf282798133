/* SPDX-License-Identifier: MIT */
/*
 * A stream file of a trace whose metadata metadata.h has recognized, event by event.  It is read
 * piece by piece into a window, so that memory does not grow with the file, and that a file may
 * shrink or grow meanwhile.
 */
#ifndef PWRTRACE_TRACE_STREAM_H
#define PWRTRACE_TRACE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/trace/metadata.h"
#include "analyzer/trace/reader.h"

struct stream {
	const struct metadata *metadata;
	const struct stream_class *class; /* of the first packet; NULL before it */
	const char *path;                 /* borrowed */
	int fd;
	uint64_t size; /* what is appended later is not read */
	bool grows;    /* what the metadata do not know, they will: wait for it */

	/* The window: its first `filled` bytes are those of the file from `offset` on. */
	char *window;
	size_t capacity, filled;
	uint64_t offset;
	const char *at;    /* the next byte, in the window */
	const char *limit; /* the end of the window or of the content, whichever is first */
	uint64_t content_end, packet_end; /* of the packet, in the file */

	uint64_t time;      /* of the next event or, in a packet, of the last before it */
	struct plan *plan;  /* of the next event */
	bool counted;       /* a packet has said how many events were lost */
	uint64_t discarded; /* as the last packet says */
	uint64_t damaged;   /* how many packets are left out from some point on */
	uint64_t torn;      /* how many bytes at the end are no whole packet */
};

/* Begins to read a file, which the stream takes over. */
void stream_open(struct stream *stream, const struct metadata *metadata, const char *path, int fd,
	uint64_t size);

/* Moves to the next event, and tells the sink of lost ones before it.  Returns false at the end. */
bool stream_next(struct stream *stream, const struct reader_sink *sink);

/* Hands the event that stream_next() has moved to, to the sink. */
void stream_hand_over(struct stream *stream, unsigned trace, const struct reader_sink *sink);

/* Goes on with a file that is being written, up to its new size, by the metadata as they are now,
 * of which it knows no older ones afterwards. */
void stream_grow(struct stream *stream, const struct metadata *metadata, uint64_t size);

void stream_close(struct stream *stream);

#endif
