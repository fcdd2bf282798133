/* SPDX-License-Identifier: MIT */
/*
 * A target of libFuzzer: the reader of packets, of a trace of one or two streams.  An input is
 *
 *   16 bits   the size of the metadata; 0: that of a trace of today
 *   16 bits   the size of the first stream
 *   ...       the metadata, the first stream, the second stream
 *
 * numbers in little endian.  Each string that the reader hands over is read to its end, and each
 * number once.
 */
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "analyzer/trace/reader.h"
#include "analyzer/trace/rows.h"
#include "analyzer/trace/stream.h"
#include "tests/writers/ctf_writer.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char directory[] = "/dev/shm/fuzz_packets.XXXXXX";
static char *paths[3];            /* in it: of the metadata and the streams */
static struct metadata *of_today; /* the metadata of a trace of today */
static volatile uint64_t seen;

static void take_event(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	const struct row *row = row_of(id);

	(void)data;
	(void)trace;
	for (size_t i = 0; i < row->field_count; i++) {
		const char *place = (const char *)record + row->fields[i].offset;

		if (row->fields[i].type == PWRTRACE_STR)
			seen += strlen(*(const char *const *)place);
		else
			seen += *(const uint32_t *)place;
	}
}

static bool take_wants(void *data, enum pwrtrace_event_id id, const char *field)
{
	(void)data;
	(void)id;
	return strcmp(field, "tid") != 0;
}

static void take_damaged(void *data)
{
	(void)data;
}

static void take_discarded(void *data, uint64_t count)
{
	(void)data;
	seen += count;
}

static const struct reader_sink sink = {.event = take_event,
	.wants = take_wants,
	.damaged = take_damaged,
	.discarded = take_discarded};

static void put(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd))
		abort();
}

static void clean_up(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
		unlink(paths[i]);
	rmdir(directory);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const files[] = {"metadata", "flow_0", "state_0"};
	char *trace;

	(void)argc;
	(void)argv;
	message_quiet = true;
	if (!mkdtemp(directory))
		abort();
	trace = g_build_filename(directory, "of-today", NULL);
	ctf_writer_close(ctf_writer_open(trace, 1, 4096, PWRTRACE_SCHEMA));
	of_today = metadata_read(trace, &sink);
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		char *written = g_build_filename(trace, files[i], NULL);

		unlink(written);
		g_free(written);
		paths[i] = g_build_filename(directory, files[i], NULL);
	}
	rmdir(trace);
	g_free(trace);
	if (!of_today)
		abort();
	return atexit(clean_up);
}

static void read_stream(const uint8_t *bytes, size_t size)
{
	struct stream stream;
	int fd = memfd_create("stream", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	stream_open(&stream, of_today, "stream", fd, size);
	while (stream_next(&stream, &sink))
		stream_hand_over(&stream, 0, &sink);
	stream_close(&stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t metadata_size, sizes[2];

	if (size < 4)
		return 0;
	size -= 4;
	metadata_size = MIN((size_t)(data[0] | data[1] << 8), size);
	sizes[0] = MIN((size_t)(data[2] | data[3] << 8), size - metadata_size);
	sizes[1] = size - metadata_size - sizes[0];
	data += 4;
	if (!metadata_size) {
		read_stream(data, sizes[0]);
		read_stream(data + sizes[0], sizes[1]);
		return 0;
	}
	put(paths[0], data, metadata_size);
	put(paths[1], data + metadata_size, sizes[0]);
	put(paths[2], data + metadata_size + sizes[0], sizes[1]);
	(void)packets_read(directory, 0, &sink);
	return 0;
}
