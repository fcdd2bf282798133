/* SPDX-License-Identifier: MIT */
#include "preload/sensors/opening.h"

#include <errno.h>
#include <unistd.h>

#include "preload/common/deadline.h"
#include "preload/common/log.h"
#include "preload/sensors/sensors.h"

struct opening {
	struct power_sources *sources;
	int (*open)(struct power_sources *sources, const char *list, char *why, size_t size);
	const char *list;
	char why[POWER_WHY_MAX];
};

static int open_sources(void *argument)
{
	struct opening *opening = argument;

	return opening->open(opening->sources, opening->list, opening->why, sizeof(opening->why));
}

int opening_in_time(struct power_sources *sources,
	int (*open)(struct power_sources *sources, const char *list, char *why, size_t size),
	const char *list)
{
	struct opening opening = {.sources = sources, .open = open, .list = list};
	int failed = within_deadline(open_sources, &opening, DEADLINE_DRIVERS_NS);

	if (failed == -ETIMEDOUT) {
		log_error(DEADLINE_DRIVERS_SILENT, opening.why);
		/* The thread that waits for the driver still uses what it was given. */
		_exit(SENSORS_BAD_INPUT);
	}
	if (failed)
		log_error("%s", opening.why);
	return failed;
}
