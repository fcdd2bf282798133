/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/host_memory.h"

#include <inttypes.h>
#include <stdio.h>

#define KIB 1024

static uint64_t available_bytes(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t kib = UINT64_MAX / KIB;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib * KIB;
}

/* Returns UINT64_MAX if there is no such file, or if it says "max". */
static uint64_t number_in(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t number = UINT64_MAX;

	if (file) {
		if (fscanf(file, "%" SCNu64, &number) != 1)
			number = UINT64_MAX;
		fclose(file);
	}
	return number;
}

uint64_t host_memory_free_bytes(void)
{
	/* The paths in a container, for control groups of version 2 and 1: limit and usage. */
	static const char *const groups[][2] = {
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
			"/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	};
	uint64_t least = available_bytes();

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		uint64_t limit = number_in(groups[i][0]), used = number_in(groups[i][1]);

		if (limit == UINT64_MAX || used == UINT64_MAX)
			continue;
		limit = limit > used ? limit - used : 0;
		least = limit < least ? limit : least;
	}
	return least;
}
