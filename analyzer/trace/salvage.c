/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "analyzer/trace/metadata.h"
#include "analyzer/trace/stream_files.h"

/* Returns how many bytes at the beginning of a file are whole packets; its size where it does not
 * begin as a stream file of LTTng does. */
static uint64_t whole_bytes(int fd, uint64_t size)
{
	uint64_t offset = 0;
	struct packet_head head;
	const size_t to_sizes = offsetof(struct packet_head, number); /* all that matters here */

	while (offset < size) {
		ssize_t got = pread(fd, &head, to_sizes, (off_t)offset);

		if (got >= 4 && head.magic != PACKET_MAGIC)
			return offset ? offset : size;
		if (got < (ssize_t)to_sizes || head.packet_bits < 8 * to_sizes ||
			head.packet_bits / 8 > size - offset)
			return offset;
		offset += head.packet_bits / 8;
	}
	return offset;
}

/* Returns how many bytes of a stream file to keep, and sets *size to its size. */
static uint64_t inspect(const char *path, uint64_t *size)
{
	struct stat stat_of;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t whole = 0;

	*size = 0;
	if (fd >= 0 && fstat(fd, &stat_of) == 0) {
		*size = (uint64_t)stat_of.st_size;
		whole = whole_bytes(fd, *size);
	}
	if (fd >= 0)
		close(fd);
	return whole;
}

static bool is_torn(const char *directory)
{
	GPtrArray *paths = stream_files(directory);
	bool torn = false;

	for (guint i = 0; i < paths->len && !torn; i++) {
		uint64_t size;

		torn = inspect(g_ptr_array_index(paths, i), &size) < size;
	}
	g_ptr_array_free(paths, TRUE);
	return torn;
}

/* Copies the first bytes of a file with read and write: copy_file_range(2) may fail between file
 * systems. */
static bool copy_start(const char *from, const char *to, uint64_t bytes)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool copied = in >= 0 && out >= 0;
	char buffer[1 << 16];

	for (uint64_t at = 0, put; copied && at < bytes; at += put) {
		ssize_t step = pread(in, buffer, MIN(bytes - at, sizeof(buffer)), (off_t)at);

		if (step > 0)
			step = write(out, buffer, (size_t)step);
		copied = step > 0;
		put = copied ? (uint64_t)step : 0;
	}
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out))
		copied = false;
	return copied;
}

#define ELSEWHERE "; name another directory by TMPDIR"

/* Links a file of the trace; copies its whole packets where it is a torn stream. */
static void carry_over(const char *from, const char *into, bool is_stream)
{
	char *name = g_path_get_basename(from), *to = g_build_filename(into, name, NULL);
	uint64_t size = 0, whole = 0;
	bool carried;

	errno = 0;
	if (is_stream)
		whole = inspect(from, &size);
	if (whole == size) {
		carried = symlink(from, to) == 0;
	} else {
		message_warn("%s is torn: its last %" G_GUINT64_FORMAT " bytes are left out", from,
			size - whole);
		carried = !whole || copy_start(from, to, whole);
	}
	if (!carried) {
		message_warn("%s is left out, it cannot be copied to %s: %s" ELSEWHERE, from, into,
			strerror(errno));
		unlink(to);
	}
	g_free(name);
	g_free(to);
}

static void carry_all_over(const char *directory, const char *into)
{
	char *absolute = g_canonicalize_filename(directory, NULL);
	char *metadata = g_build_filename(absolute, "metadata", NULL);
	GPtrArray *streams = stream_files(absolute);

	carry_over(metadata, into, false);
	for (guint i = 0; i < streams->len; i++)
		carry_over(g_ptr_array_index(streams, i), into, true);
	g_ptr_array_free(streams, TRUE);
	g_free(metadata);
	g_free(absolute);
}

/* Whether packets begin as LTTng's do; libbabeltrace2's own, say, tell their sizes before their
 * times. */
static bool is_of_lttng(const char *metadata)
{
	const char *time = strstr(metadata, "timestamp_begin"),
		   *size = strstr(metadata, "packet_size");

	return time && size && time < size;
}

char *salvage_open(const char *directory)
{
	GString *text = g_string_new(NULL);
	bool readable = metadata_text_read(directory, text) != METADATA_TORN;
	bool of_lttng = is_of_lttng(text->str);
	char *into;

	g_string_free(text, TRUE);
	if (!readable) {
		message_warn("%s/metadata is torn, and nothing can be read without its end; "
			     "copy the trace again, or record anew",
			directory);
		return NULL;
	}
	if (!of_lttng || !is_torn(directory))
		return g_strdup(directory);
	into = g_dir_make_tmp("pwrtrace-XXXXXX", NULL);
	if (into)
		carry_all_over(directory, into);
	else
		message_warn("%s is torn, and what is whole cannot be copied to %s: %s" ELSEWHERE,
			directory, g_get_tmp_dir(), strerror(errno));
	return into;
}

void salvage_close(const char *directory, const char *opened)
{
	GDir *dir;
	const char *name;

	if (strcmp(directory, opened) == 0)
		return;
	dir = g_dir_open(opened, 0, NULL);
	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(opened, name, NULL);

		unlink(path);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	rmdir(opened);
}
