/* SPDX-License-Identifier: MIT */
/* Starting a program beside another one, which must not notice. */
#ifndef PWRTRACE_ORPHAN_H
#define PWRTRACE_ORPHAN_H

#include <sys/types.h>

/*
 * Executes path with argv, in a session of its own, without LD_PRELOAD and the recording that it
 * would join, with signals as they are by default, and with no descriptors but 0, 1 and 2: fds,
 * each above 2, or -1 for /dev/null.  The calling process gets no SIGCHLD of it, nor does its
 * wait(); where it adopts orphans, a child that stays, in its memory, sees to that.  Blocks the
 * caller's signals for as long as it takes.  Returns its process id, or 0.
 */
pid_t orphan_start(const char *path, char *const argv[], const int fds[3]);

#endif
