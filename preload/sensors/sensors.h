/* SPDX-License-Identifier: MIT */
/* What pwrtrace-sensors does, a file each.  All return an exit status after saying on stderr, in
 * one line, what is wrong. */
#ifndef PWRTRACE_SENSORS_H
#define PWRTRACE_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

enum { SENSORS_FINE = 0, SENSORS_BAD_INPUT = 1, SENSORS_BAD_USAGE = 2 };

/* Lists what the sources of power (a list as of --power) have, what can be read and what not. */
int sensors_list(const char *power, bool json);

/* Shows the power of each sensor, as often as interval_ms says, count times (0: until it is
 * interrupted). */
int sensors_watch(const char *power, unsigned interval_ms, unsigned count);

/* Keeps the response on the standard input (preload/power/core/response.h) and says where. */
int sensors_keep(void);

struct sensors_load {
	const char *api; /* NULL: the first that has a device */
	int device;      /* ordinal; -1: all, one after the other */
	int seconds;
};

/* Runs a load of two levels. */
int sensors_load(const struct sensors_load *load);

#endif
