/* SPDX-License-Identifier: MIT */
/* Which machine and which boot this is, for the events recording and process. */
#ifndef PWRTRACE_MACHINE_H
#define PWRTRACE_MACHINE_H

#include <stdint.h>

#define MACHINE_TEXT_MAX 128

struct machine {
	char host[MACHINE_TEXT_MAX];
	char boot_id[MACHINE_TEXT_MAX]; /* "" where /proc does not say */
	int64_t realtime_offset_ns;     /* CLOCK_REALTIME - CLOCK_MONOTONIC, now */
};

/* Fills in all of it, with "localhost" if the host has no name.  Any thread. */
void machine_read(struct machine *machine);

#endif
