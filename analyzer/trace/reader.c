/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/reader.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "analyzer/print/message.h"

#define FINISH_WAIT_MS 10000
#define FINISH_POLL_MS 20

/* pwrtrace record holds a lock on the file .recording until the trace is complete. */
static void wait_until_complete(const char *directory)
{
	char *path = g_build_filename(directory, ".recording", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int left_ms = FINISH_WAIT_MS;

	while (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && left_ms > 0) {
		g_usleep(FINISH_POLL_MS * 1000);
		left_ms -= FINISH_POLL_MS;
	}
	if (fd >= 0 && left_ms <= 0)
		message_warn(
			"%s is still being recorded: what it has until now is read", directory);
	if (fd >= 0)
		close(fd);
	g_free(path);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the directories at or below directory that have a metadata file (char *). */
static void find_sub_traces(const char *directory, GPtrArray *found)
{
	char *metadata = g_build_filename(directory, "metadata", NULL);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR))
		g_ptr_array_add(found, g_strdup(directory));
	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(directory, name, NULL);

		if (*name != '.' && g_file_test(path, G_FILE_TEST_IS_DIR) &&
			!g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			find_sub_traces(path, found);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_free(metadata);
}

int reader_read_by(const char *directory, const struct reader_sink *sink, reader_method *method)
{
	static unsigned traces;
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	int read = 0;

	if (!g_file_test(directory, G_FILE_TEST_EXISTS)) {
		message_error("%s does not exist; give the directory that pwrtrace record named",
			directory);
		read = -1;
	} else {
		wait_until_complete(directory);
		find_sub_traces(directory, found);
		g_ptr_array_sort(found, by_name);
	}
	for (guint i = 0; i < found->len; i++)
		read += method(g_ptr_array_index(found, i), traces++, sink) == READING_DONE;
	if (read == 0) {
		if (found->len != 1 || message_quiet) /* else a warning has been printed */
			message_error(found->len ? "nothing in %s can be read"
						 : "%s is not a trace: there is no metadata in it; "
						   "give the directory that pwrtrace record named",
				directory);
		read = -1;
	}
	g_ptr_array_free(found, TRUE);
	return read;
}

static enum reading read_sub_trace(
	const char *directory, unsigned trace, const struct reader_sink *sink)
{
	enum reading reading = packets_read(directory, trace, sink);

	return reading == READING_REFUSED ? babeltrace_read(directory, trace, sink) : reading;
}

int reader_read(const char *directory, const struct reader_sink *sink)
{
	return reader_read_by(directory, sink, read_sub_trace);
}
