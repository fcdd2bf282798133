/* SPDX-License-Identifier: MIT */
/* A meter that writes into a FIFO, or a serial line that is set up: see meter.h. */
#include "preload/power/core/power.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/power/external/meter.h"

static void *open_fifo(const char *path, char *why)
{
	struct meter *meter;
	struct stat kind;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &kind)) {
		snprintf(why, POWER_WHY_MAX, "%s: %s; say fifo:PATH, and make it with mkfifo",
			*path ? path : "which file?", strerror(errno));
		return NULL;
	}
	if (!S_ISFIFO(kind.st_mode) && !S_ISCHR(kind.st_mode)) {
		snprintf(why, POWER_WHY_MAX, "%s is no FIFO; say replay:%s for a recorded series",
			path, path);
		close(fd);
		return NULL;
	}
	meter = calloc(1, sizeof(*meter));
	if (!meter) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		close(fd);
		return NULL;
	}
	meter_begin(meter, fd, path);
	return meter;
}

/* Where nobody writes, somebody may come. */
static void read_fifo(void *state, size_t i)
{
	(void)i;
	meter_read(state);
}

static void close_fifo(void *state)
{
	meter_end(state);
	free(state);
}

const struct power_ops power_fifo = {
	.open = open_fifo,
	.sensors = meter_sensors,
	.read = read_fifo,
	.write = meter_write,
	.note = meter_note,
	.close = close_fifo,
};
