/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/print/message.h"

/*
 * The beginning of a packet as LTTng 2.x writes it: the packet header (32 bytes), and from the
 * packet context the first and last timestamp and the sizes of the content and of the packet, in
 * bits.
 */
struct packet_head {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t stream_instance;
	uint64_t begin;
	uint64_t end;
	uint64_t content_bits;
	uint64_t packet_bits;
} __attribute__((packed));

#define PACKET_MAGIC 0xC1FC1FC1

/* The header of a metadata packet (CTF 1.8.3, 7.1), in the byte order of the writer. */
struct metadata_head {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t checksum;
	uint32_t content_bits; /* with the head */
	uint32_t packet_bits;
	uint8_t schemes[3];
	uint8_t version[2];
} __attribute__((packed));

#define METADATA_MAGIC 0x75D11D57

/* Returns how many bytes at the beginning of a file are whole packets; its size where it does not
 * begin as a stream file of LTTng does. */
static uint64_t whole_bytes(int fd, uint64_t size)
{
	uint64_t offset = 0;
	struct packet_head head;

	while (offset < size) {
		ssize_t got = pread(fd, &head, sizeof(head), (off_t)offset);

		if (got >= 4 && head.magic != PACKET_MAGIC)
			return offset ? offset : size;
		if (got < (ssize_t)sizeof(head) || head.packet_bits < 8 * sizeof(head) ||
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

/* Returns the size of the metadata packet at the beginning of bytes; 0 where its content is cut
 * off, in which case libbabeltrace2 would wait for the rest for ever. */
static gsize metadata_packet(const char *bytes, gsize size)
{
	struct metadata_head head;
	gsize content, packet;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, bytes, sizeof(head));
	if (head.magic == GUINT32_SWAP_LE_BE(METADATA_MAGIC)) {
		head.content_bits = GUINT32_SWAP_LE_BE(head.content_bits);
		head.packet_bits = GUINT32_SWAP_LE_BE(head.packet_bits);
	}
	content = head.content_bits / 8;
	packet = head.packet_bits / 8;
	return content < sizeof(head) || content > MIN(size, packet) ? 0 : MIN(size, packet);
}

static bool is_metadata_torn(const char *directory)
{
	char *path = g_build_filename(directory, "metadata", NULL), *bytes = NULL;
	gsize size = 0, at = 0, packet;
	uint32_t magic = 0;

	g_file_get_contents(path, &bytes, &size, NULL);
	if (size >= sizeof(magic))
		memcpy(&magic, bytes, sizeof(magic));
	/* Metadata without packets is plain text. */
	if (magic == METADATA_MAGIC || magic == GUINT32_SWAP_LE_BE(METADATA_MAGIC))
		while (at < size && (packet = metadata_packet(bytes + at, size - at)))
			at += packet;
	else
		at = size;
	g_free(bytes);
	g_free(path);
	return at < size;
}

static bool is_stream(const char *directory, const char *name)
{
	char *path = g_build_filename(directory, name, NULL);
	bool stream = *name != '.' && strcmp(name, "metadata") != 0 &&
		      g_file_test(path, G_FILE_TEST_IS_REGULAR);

	g_free(path);
	return stream;
}

static bool is_torn(const char *directory)
{
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;
	bool torn = false;

	while (dir && !torn && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(directory, name, NULL);
		uint64_t size;

		torn = is_stream(directory, name) && inspect(path, &size) < size;
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
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

/* Makes a symbolic link to a file of the trace, or a copy of its whole packets where it is torn. */
static void carry_over(const char *directory, const char *into, const char *name)
{
	char *from = g_build_filename(directory, name, NULL);
	char *to = g_build_filename(into, name, NULL);
	uint64_t size = 0, whole = 0;
	bool stream = is_stream(directory, name), carried = true;

	errno = 0;
	if (stream)
		whole = inspect(from, &size);
	if (!stream || whole == size) {
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
	g_free(from);
	g_free(to);
}

char *salvage_open(const char *directory)
{
	char *absolute, *into;
	GDir *dir;
	const char *name;

	if (is_metadata_torn(directory)) {
		message_warn("%s/metadata is torn, and nothing can be read without its end; "
			     "copy the trace again, or record anew",
			directory);
		return NULL;
	}
	if (!is_torn(directory))
		return g_strdup(directory);
	into = g_dir_make_tmp("pwrtrace-XXXXXX", NULL);
	if (!into)
		message_warn("%s is torn, and what is whole cannot be copied to %s: %s" ELSEWHERE,
			directory, g_get_tmp_dir(), strerror(errno));
	dir = g_dir_open(directory, 0, NULL);
	absolute = g_canonicalize_filename(directory, NULL);
	while (into && dir && (name = g_dir_read_name(dir)))
		if (*name != '.')
			carry_over(absolute, into, name);
	if (dir)
		g_dir_close(dir);
	g_free(absolute);
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
