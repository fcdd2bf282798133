/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/follow.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/trace/metadata.h"
#include "analyzer/trace/stream.h"
#include "analyzer/trace/stream_files.h"

struct followed_trace {
	char *directory;
	unsigned number;
	struct metadata *metadata; /* NULL: not there yet */
	off_t metadata_bytes;      /* how long their file was then */
	GPtrArray *streams;        /* struct stream *, with a path of their own */
};

struct follow {
	const char *directory;
	const struct reader_sink *sink;
	GPtrArray *traces; /* struct followed_trace * */
};

static void stream_free(gpointer data)
{
	struct stream *stream = data;

	g_free((char *)stream->path);
	stream_close(stream);
	g_free(stream);
}

static void trace_free(gpointer data)
{
	struct followed_trace *trace = data;

	g_ptr_array_unref(trace->streams);
	if (trace->metadata)
		metadata_free(trace->metadata);
	g_free(trace->directory);
	g_free(trace);
}

struct follow *follow_new(const char *directory, const struct reader_sink *sink)
{
	struct follow *follow = g_new(struct follow, 1);

	*follow = (struct follow){directory, sink, g_ptr_array_new_with_free_func(trace_free)};
	return follow;
}

void follow_free(struct follow *follow)
{
	g_ptr_array_unref(follow->traces);
	g_free(follow);
}

static gboolean is_trace_of(gconstpointer trace, gconstpointer directory)
{
	return strcmp(((const struct followed_trace *)trace)->directory, directory) == 0;
}

static void find_traces(struct follow *follow)
{
	GPtrArray *found = sub_traces(follow->directory);

	for (guint i = 0; i < found->len; i++) {
		const char *directory = g_ptr_array_index(found, i);
		struct followed_trace *trace;

		if (g_ptr_array_find_with_equal_func(follow->traces, directory, is_trace_of, NULL))
			continue;
		trace = g_new0(struct followed_trace, 1);
		trace->directory = g_strdup(directory);
		trace->number = follow->traces->len;
		trace->streams = g_ptr_array_new_with_free_func(stream_free);
		g_ptr_array_add(follow->traces, trace);
	}
	g_ptr_array_unref(found);
}

static gboolean is_stream_of(gconstpointer stream, gconstpointer path)
{
	return strcmp(((const struct stream *)stream)->path, path) == 0;
}

static void find_streams(struct followed_trace *trace)
{
	GPtrArray *paths = stream_files(trace->directory);

	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		struct stream *stream;
		int fd;

		if (g_ptr_array_find_with_equal_func(trace->streams, path, is_stream_of, NULL))
			continue;
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		stream = g_new(struct stream, 1);
		stream_open(stream, trace->metadata, g_strdup(path), fd, 0);
		g_ptr_array_add(trace->streams, stream);
	}
	g_ptr_array_unref(paths);
}

static void read_trace(struct followed_trace *trace, const struct reader_sink *sink)
{
	char *path = g_build_filename(trace->directory, "metadata", NULL);
	struct metadata *old = NULL;
	struct stat status;

	if (stat(path, &status) == 0 && status.st_size != trace->metadata_bytes) {
		struct metadata *now = metadata_read(trace->directory, sink);

		if (now) {
			old = trace->metadata;
			trace->metadata = now;
			trace->metadata_bytes = status.st_size;
		}
	}
	g_free(path);
	if (!trace->metadata)
		return;
	find_streams(trace);
	for (guint i = 0; i < trace->streams->len; i++) {
		struct stream *stream = g_ptr_array_index(trace->streams, i);

		if (fstat(stream->fd, &status))
			continue;
		stream_grow(stream, trace->metadata, (uint64_t)status.st_size);
		while (stream_next(stream, sink))
			stream_hand_over(stream, trace->number, sink);
	}
	if (old)
		metadata_free(old);
}

void follow_read(struct follow *follow)
{
	find_traces(follow);
	for (guint i = 0; i < follow->traces->len; i++)
		read_trace(g_ptr_array_index(follow->traces, i), follow->sink);
}
