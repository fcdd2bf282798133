/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "analyzer/trace/merge.h"
#include "analyzer/trace/metadata.h"
#include "analyzer/trace/stream.h"
#include "analyzer/trace/stream_files.h"

/* After so many events it is said how far reading is. */
#define PROGRESS_EVENTS 65536

struct sub_trace {
	struct metadata *metadata;
	GPtrArray *paths; /* of its stream files (char *) */
	struct stream *streams;
	unsigned count;
	bool damaged;
};

static void open_streams(struct sub_trace *sub_trace)
{
	sub_trace->streams = g_new0(struct stream, sub_trace->paths->len);
	for (guint i = 0; i < sub_trace->paths->len; i++) {
		const char *path = g_ptr_array_index(sub_trace->paths, i);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		struct stat status;

		if (fd < 0 || fstat(fd, &status)) {
			message_warn("%s is left out: %s", path, strerror(errno));
			sub_trace->damaged = true;
			if (fd >= 0)
				close(fd);
			continue;
		}
		stream_open(&sub_trace->streams[sub_trace->count++], sub_trace->metadata, path, fd,
			(uint64_t)status.st_size);
	}
}

/* Whether two files have packets of one stream, as where LTTng limits the size of files. */
static bool shares_streams(const struct sub_trace *sub_trace)
{
	GHashTable *seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	bool shared = false;

	for (unsigned i = 0; i < sub_trace->count && !shared; i++) {
		struct packet_head head;

		if (pread(sub_trace->streams[i].fd, &head, sizeof(head), 0) == sizeof(head) &&
			head.magic == PACKET_MAGIC)
			shared = !g_hash_table_add(
				seen, g_strdup_printf("%" G_GUINT32_FORMAT " %" G_GUINT64_FORMAT,
					      head.stream_class, head.stream));
	}
	g_hash_table_destroy(seen);
	return shared;
}

static void show_progress(const struct sub_trace *sub_trace)
{
	uint64_t done = 0, total = 0;

	for (unsigned i = 0; i < sub_trace->count; i++) {
		done += sub_trace->streams[i].offset;
		total += sub_trace->streams[i].size;
	}
	message_progress("reading the trace", done, total);
}

/* Hands over the events of all streams in the order of their times.  Returns whether there are any.
 */
static bool merge(struct sub_trace *sub_trace, unsigned trace, const struct reader_sink *sink)
{
	struct merge_next *heap = g_new(struct merge_next, sub_trace->count);
	size_t size = 0, handed_over = 0;
	bool any;

	for (unsigned i = 0; i < sub_trace->count; i++)
		if (stream_next(&sub_trace->streams[i], sink))
			heap[size++] = (struct merge_next){(int64_t)sub_trace->streams[i].time, i};
	any = size > 0;
	merge_begin(heap, size);
	while (size) {
		struct stream *stream = &sub_trace->streams[heap->stream];

		stream_hand_over(stream, trace, sink);
		if (++handed_over % PROGRESS_EVENTS == 0)
			show_progress(sub_trace);
		if (stream_next(stream, sink))
			heap->time = (int64_t)stream->time;
		else
			*heap = heap[--size];
		if (size)
			merge_sift_down(heap, size, 0);
	}
	message_progress_end();
	g_free(heap);
	return any;
}

static void warn_of_damage(struct sub_trace *sub_trace)
{
	for (unsigned i = 0; i < sub_trace->count; i++) {
		const struct stream *stream = &sub_trace->streams[i];

		if (stream->torn)
			message_warn("%s is torn: its last %" G_GUINT64_FORMAT
				     " bytes are left out",
				stream->path, stream->torn);
		if (stream->damaged)
			message_warn("%s is damaged: %" G_GUINT64_FORMAT
				     " of its packets are left out, wholly or from an event on",
				stream->path, stream->damaged);
		sub_trace->damaged |= stream->torn || stream->damaged;
	}
}

enum reading packets_read(const char *directory, unsigned trace, const struct reader_sink *sink)
{
	struct sub_trace sub_trace = {.metadata = metadata_read(directory, sink)};
	enum reading reading = READING_REFUSED;

	if (!sub_trace.metadata)
		return READING_REFUSED;
	sub_trace.paths = stream_files(directory);
	open_streams(&sub_trace);
	if (!shares_streams(&sub_trace)) {
		bool any = merge(&sub_trace, trace, sink);

		warn_of_damage(&sub_trace);
		if (sub_trace.damaged)
			sink->damaged(sink->data);
		reading = any || !sub_trace.damaged ? READING_DONE : READING_FAILED;
	}
	for (unsigned i = 0; i < sub_trace.count; i++)
		stream_close(&sub_trace.streams[i]);
	g_free(sub_trace.streams);
	g_ptr_array_free(sub_trace.paths, TRUE);
	metadata_free(sub_trace.metadata);
	return reading;
}
