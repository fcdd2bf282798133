/* SPDX-License-Identifier: MIT */
/* The processes of a recording that have not said that they use a GPU. */
#ifndef PWRTRACE_RECORD_FAMILY_H
#define PWRTRACE_RECORD_FAMILY_H

#include <sys/types.h>

/* Returns a descriptor (pidfd) of a process, or -1 where it has ended. */
int family_open(pid_t pid);

/* The same of the first process of the recording, which its id names.  -1 too where its number is
 * another process's: by now, or on this machine, where the recording began on another one. */
int family_open_root(const char *id);

/* The same of any process that was executed in the recording with that id; *pid is which. */
int family_open_any(const char *id, pid_t *pid);

/* The same of the eldest ancestor of a process that runs with libpwrtrace.so in an unbroken line: a
 * shell that forked, and executed nothing since its recording began, shows no id. */
int family_open_eldest(pid_t of, pid_t *pid);

#endif
