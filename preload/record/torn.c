/* SPDX-License-Identifier: MIT */
#include "preload/record/torn.h"

#include <endian.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The head of each packet of a stream, as LTTng-UST has it since 2.8. */
struct packet_head {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream;
	uint64_t stream_instance, begin, end;
	uint64_t content_bits, packet_bits;
} __attribute__((packed));

#define MAGIC 0xC1FC1FC1U

/* The head of the index of a stream, and the beginning of what it has of each packet, as
 * LTTng has them since 2.3; big-endian. */
struct packet_index_head {
	uint32_t magic, major, minor, entry_bytes;
};
struct packet_index {
	uint64_t offset, packet_bits;
};

static uint64_t cut_off_bytes;

/* The size of the packet at offset, or 0 where there is none. */
static uint64_t packet_bytes(int fd, uint64_t offset)
{
	struct packet_head head;

	return pread(fd, &head, sizeof(head), (off_t)offset) == sizeof(head) && head.magic == MAGIC
		       ? head.packet_bits / 8
		       : 0;
}

/* How much of a stream of size bytes is whole.  A packet that is not is followed by the end, or by
 * the next one where it would go on itself. */
static uint64_t whole_bytes(int fd, uint64_t size)
{
	uint64_t whole = 0, packet;

	while ((packet = packet_bytes(fd, whole)) && packet <= size - whole &&
		(packet == size - whole || packet_bytes(fd, whole + packet)))
		whole += packet;
	return whole;
}

static void remove_index(const char *stream, int base)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%.*sindex/%s.idx", base, stream, stream + base) <
		(int)sizeof(path))
		unlink(path);
}

static int cut_stream(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	uint64_t size = (uint64_t)stat->st_size, whole;
	int fd = -1;

	if (type == FTW_F && !strstr(path, "/index/") &&
		strcmp(path + place->base, "metadata") != 0)
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	whole = whole_bytes(fd, size);
	if (whole < size && packet_bytes(fd, 0) && !ftruncate(fd, (off_t)whole)) {
		remove_index(path, place->base);
		cut_off_bytes += size - whole;
	}
	close(fd);
	return 0;
}

/* Where the last packet ends that an index of so many bytes has; UINT64_MAX: it cannot be read. */
static uint64_t indexed_bytes(int fd, uint64_t size)
{
	struct packet_index_head head;
	struct packet_index last = {0, 0};
	uint64_t entry;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		return UINT64_MAX;
	entry = be32toh(head.entry_bytes);
	if (entry < sizeof(last))
		return UINT64_MAX;
	if (size >= sizeof(head) + entry &&
		pread(fd, &last, sizeof(last), (off_t)(size - entry)) != sizeof(last))
		return UINT64_MAX;
	return be64toh(last.offset) + be64toh(last.packet_bits) / 8;
}

/* Stops at an index whose stream goes on behind the last packet that it has. */
static int is_torn(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	int base = place->base, dir = base - (int)strlen("index/");
	char stream[PATH_MAX];
	struct stat of_stream;
	uint64_t end;
	int fd = -1;

	if (type == FTW_F && strstr(path, "/index/"))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	end = indexed_bytes(fd, (uint64_t)stat->st_size);
	close(fd);
	if (snprintf(stream, sizeof(stream), "%.*s%.*s", dir, path,
		    (int)strlen(path + base) - (int)strlen(".idx"),
		    path + base) >= (int)sizeof(stream))
		return 0;
	return !lstat(stream, &of_stream) && (uint64_t)of_stream.st_size > end;
}

bool torn_is_any(const char *dir)
{
	return nftw(dir, is_torn, 8, FTW_PHYS) > 0;
}

uint64_t torn_cut_off(const char *dir)
{
	cut_off_bytes = 0;
	nftw(dir, cut_stream, 8, FTW_PHYS);
	return cut_off_bytes;
}
