/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/reader.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "analyzer/trace/stream_files.h"

#define FINISH_WAIT_MS 10000
#define FINISH_POLL_MS 20

/* Opens what pwrtrace record holds a lock on until the trace is complete; -1: it is not there. */
static int open_lock(const char *directory)
{
	char *path = g_build_filename(directory, ".recording", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	g_free(path);
	return fd;
}

static void wait_until_complete(const char *directory)
{
	int fd = open_lock(directory);
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
}

bool reader_is_recorded(const char *directory)
{
	int fd = open_lock(directory);
	bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB);

	if (fd >= 0)
		close(fd);
	return locked;
}

int reader_read_by(const char *directory, const struct reader_sink *sink, reader_method *method)
{
	static unsigned traces;
	GPtrArray *found;
	int read = 0;
	guint old = 0;

	if (!g_file_test(directory, G_FILE_TEST_EXISTS)) {
		message_error("%s does not exist; give the directory that pwrtrace record named",
			directory);
		read = -1;
	} else {
		wait_until_complete(directory);
	}
	found = sub_traces(directory);
	for (guint i = 0; i < found->len; i++) {
		const char *path = g_ptr_array_index(found, i);

		if (sink->is_new && !sink->is_new(sink->data, path))
			old++;
		else
			read += method(path, traces++, sink) == READING_DONE;
	}
	if (read == 0 && !old) {
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
