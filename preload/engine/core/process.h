/* SPDX-License-Identifier: MIT */
/* The traced process, as every event names it. */
#ifndef PWRTRACE_PROCESS_H
#define PWRTRACE_PROCESS_H

#include <stdint.h>

/* Its id, also in a forked child: asking the kernel for each event would cost a system call. */
extern uint32_t process_pid;

/* Once, before the first event. */
void process_start(void);

#endif
