/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/stream.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/trace/stream_files.h"

#ifndef WINDOW_BYTES                    /* fuzzing has a small one */
#define WINDOW_BYTES ((size_t)64 << 10) /* several stay in the cache */
#endif
#define EVENT_BYTES_MAX ((size_t)64 << 20)
#define HEADER_BYTES_MAX 14

/* ---- the window ---- */

static uint64_t position(const struct stream *stream)
{
	return stream->offset + (uint64_t)(stream->at - stream->window);
}

static void set_limit(struct stream *stream)
{
	stream->limit = stream->window + MIN(stream->filled, stream->content_end - stream->offset);
}

/* Reads more of the content, behind what the window has from `at` on.  Returns false where there is
 * no more. */
static bool read_on(struct stream *stream)
{
	size_t kept = (size_t)(stream->window + stream->filled - stream->at), room;
	ssize_t got;

	if (stream->offset + stream->filled >= stream->content_end)
		return false;
	if (kept == stream->capacity) {
		if (stream->capacity >= EVENT_BYTES_MAX)
			return false;
		stream->capacity *= 2;
		stream->window = g_realloc(stream->window, stream->capacity);
		stream->at = stream->window;
	}
	stream->offset += (uint64_t)(stream->at - stream->window);
	memmove(stream->window, stream->at, kept);
	stream->at = stream->window;
	room = MIN(stream->capacity - kept, stream->size - stream->offset - kept);
	do
		got = pread(
			stream->fd, stream->window + kept, room, (off_t)(stream->offset + kept));
	while (got < 0 && errno == EINTR);
	stream->filled = kept + (got > 0 ? (size_t)got : 0);
	set_limit(stream);
	return got > 0;
}

/* Whether the content has so many more bytes; they are then in the window. */
static bool has(struct stream *stream, size_t bytes)
{
	while ((size_t)(stream->limit - stream->at) < bytes)
		if (!read_on(stream))
			return false;
	return true;
}

static void move_to(struct stream *stream, uint64_t target)
{
	if (target - stream->offset <= stream->filled) {
		stream->at = stream->window + (target - stream->offset);
	} else {
		stream->offset = target;
		stream->filled = 0;
		stream->at = stream->window;
	}
}

/* ---- packets ---- */

static bool is_whole(const struct packet_head *head, uint64_t left)
{
	return head->magic == PACKET_MAGIC && head->packet_bits / 8 >= sizeof(*head) &&
	       head->packet_bits / 8 <= left;
}

static bool is_sound(const struct stream *stream, const struct packet_head *head)
{
	return stream->class && head->stream_class == stream->class->id &&
	       memcmp(head->uuid, stream->metadata->uuid, sizeof(head->uuid)) == 0 &&
	       head->packet_bits % 8 == 0 && head->content_bits % 8 == 0 &&
	       head->content_bits / 8 >= sizeof(*head) && head->content_bits <= head->packet_bits &&
	       head->begin <= INT64_MAX && (head->begin <= head->end || head->end == 0);
}

/* Moves to the content of the next packet whose head makes sense.  Returns false at the end. */
static bool next_packet(struct stream *stream, const struct reader_sink *sink)
{
	struct packet_head head;

	for (uint64_t begin = stream->packet_end; begin < stream->size;
		begin = stream->packet_end) {
		move_to(stream, begin);
		stream->content_end = stream->size;
		set_limit(stream);
		if (has(stream, sizeof(head)))
			memcpy(&head, stream->at, sizeof(head));
		else
			head.magic = 0;
		if (!is_whole(&head, stream->size - begin)) {
			stream->torn = stream->size - begin;
			break;
		}
		if (!stream->class)
			stream->class = metadata_class(stream->metadata, head.stream_class);
		if (!stream->class && stream->grows)
			break;
		stream->packet_end = begin + head.packet_bits / 8;
		if (!is_sound(stream, &head)) {
			stream->damaged++;
			continue;
		}
		stream->content_end = begin + head.content_bits / 8;
		stream->at += sizeof(head);
		set_limit(stream);
		stream->time = head.begin;
		/* What the first packet says was lost before this stream was recorded. */
		if (stream->counted && head.discarded != stream->discarded)
			sink->discarded(sink->data, head.discarded - stream->discarded);
		stream->counted = true;
		stream->discarded = head.discarded;
		return true;
	}
	move_to(stream, stream->packet_end);
	stream->content_end = stream->packet_end;
	set_limit(stream);
	return false;
}

/* Leaves out what follows in the packet. */
static void leave_packet(struct stream *stream)
{
	stream->damaged++;
	stream->content_end = position(stream);
	set_limit(stream);
}

/* ---- events ---- */

/* The time whose lowest bits are these, and which is the first since the last one (CTF 1.8.3, 8).
 */
static uint64_t time_of(uint64_t last, uint64_t low, unsigned bits)
{
	const uint64_t wrap = UINT64_C(1) << bits, time = (last & -wrap) | low;

	return low < (last & (wrap - 1)) ? time + wrap : time;
}

static uint16_t u16_at(const char *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t u32_at(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t u64_at(const char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Takes the header of an event, of which `left` bytes are there.  Returns its size and sets *id; 0
 * where it is cut off. */
static size_t take_header(struct stream *stream, size_t left, uint32_t *id)
{
	const char *at = stream->at;
	const bool compact = stream->class->compact;
	const size_t size = compact ? 4 : 6, extended_size = compact ? 13 : 14;

	if (left < size)
		return 0;
	*id = compact ? u32_at(at) & 31 : u16_at(at);
	if (*id != (compact ? 31 : 65535)) {
		stream->time = compact ? time_of(stream->time, u32_at(at) >> 5, 27)
				       : time_of(stream->time, u32_at(at + 2), 32);
		return size;
	}
	if (left < extended_size)
		return 0;
	*id = u32_at(at + extended_size - 12);
	stream->time = u64_at(at + extended_size - 8);
	return extended_size;
}

bool stream_next(struct stream *stream, const struct reader_sink *sink)
{
	for (;;) {
		size_t left = (size_t)(stream->limit - stream->at), header = 0;
		uint32_t id = 0;

		if (left < HEADER_BYTES_MAX) {
			(void)has(stream, HEADER_BYTES_MAX);
			left = (size_t)(stream->limit - stream->at);
		}
		if (!left && position(stream) == stream->content_end) {
			if (!next_packet(stream, sink))
				return false;
			continue;
		}
		header = take_header(stream, left, &id);
		if (header && id < stream->class->plan_count && stream->class->plans[id]) {
			stream->at += header;
			stream->plan = stream->class->plans[id];
			return true;
		}
		if (header && stream->grows)
			return false;
		leave_packet(stream);
	}
}

void stream_hand_over(struct stream *stream, unsigned trace, const struct reader_sink *sink)
{
	const char *end;

	while (!(end = plan_take(stream->plan, stream->at, stream->limit)))
		if (!read_on(stream)) {
			leave_packet(stream);
			return;
		}
	stream->at = end;
	plan_hand_over(stream->plan, trace, sink);
}

void stream_open(struct stream *stream, const struct metadata *metadata, const char *path, int fd,
	uint64_t size)
{
	*stream = (struct stream){.metadata = metadata,
		.path = path,
		.fd = fd,
		.size = size,
		.capacity = WINDOW_BYTES,
		.window = g_malloc(WINDOW_BYTES)};
	stream->at = stream->limit = stream->window;
}

void stream_grow(struct stream *stream, const struct metadata *metadata, uint64_t size)
{
	stream->grows = true;
	stream->size = size;
	stream->torn = 0;
	if (metadata == stream->metadata)
		return;
	stream->metadata = metadata;
	if (stream->class)
		stream->class = metadata_class(metadata, stream->class->id);
}

void stream_close(struct stream *stream)
{
	close(stream->fd);
	g_free(stream->window);
}
