/* SPDX-License-Identifier: MIT */
/* What the names of kernels say of replays.  Any thread. */
#ifndef PWRTRACE_REPLAY_NAMES_H
#define PWRTRACE_REPLAY_NAMES_H

#include <stdbool.h>

/* Returns whether the setting selects a kernel: one of its words is a part of the kernel's name. */
bool name_is_chosen(const char *name);

/* Returns whether a kernel belongs to a collective operation, and so waits for kernels on other
 * devices.  Once there is one, waiting for a device may block until another process goes on. */
bool name_is_collective(const char *name);

#endif
