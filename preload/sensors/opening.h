/* SPDX-License-Identifier: MIT */
/* Opening sources of power, of which a driver may never answer. */
#ifndef PWRTRACE_SENSORS_OPENING_H
#define PWRTRACE_SENSORS_OPENING_H

#include "preload/power/sources.h"

/* Opens sources by sources_open or sources_list.  Returns 0, or -1 after saying what is wrong.
 * Where a driver does not answer, that is said and the process ends. */
int opening_in_time(struct power_sources *sources,
	int (*open)(struct power_sources *sources, const char *list, char *why, size_t size),
	const char *list);

#endif
