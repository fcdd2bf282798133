/* SPDX-License-Identifier: MIT */
/* The sources of one recording: those of a list like "rapl,replay:FILE", or what the machine has.
 */
#ifndef PWRTRACE_POWER_SOURCES_H
#define PWRTRACE_POWER_SOURCES_H

#include "preload/power/power.h"

#define SOURCES_MAX 16

struct source {
	const struct power_source *ops;
	void *state;
	const struct power_sensor *sensors;
	size_t sensor_count;
};

/* Owns the states; zero before sources_open. */
struct sources {
	struct source list[SOURCES_MAX];
	size_t count;
	char text[256]; /* the list, as the recording event names it */
};

/* Opens what the list names; "": every real sensor found, else the model.  Returns 0, or -1 with
 * one line in why (size bytes). */
int sources_open(struct sources *sources, const char *list, char *why, size_t size);

/* Also after sources_open failed. */
void sources_close(struct sources *sources);

#endif
