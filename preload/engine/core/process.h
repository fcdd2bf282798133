/* SPDX-License-Identifier: MIT */
/* The id of the traced process, which is in every event. */
#ifndef PWRTRACE_PROCESS_H
#define PWRTRACE_PROCESS_H

#include <stdint.h>

/* Kept up to date in forked children, because getpid() for each event would be a system call.  Any
 * thread may read it. */
extern uint32_t process_pid;

/* Reads it, and again in every forked child.  To be called once, before the first event. */
void process_start(void);

#endif
