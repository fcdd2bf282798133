/* SPDX-License-Identifier: MIT */
#include "preload/record/torn.h"

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

uint64_t torn_cut_off(const char *dir)
{
	cut_off_bytes = 0;
	nftw(dir, cut_stream, 8, FTW_PHYS);
	return cut_off_bytes;
}
