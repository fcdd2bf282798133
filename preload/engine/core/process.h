/* SPDX-License-Identifier: MIT */
/* The number of the traced process, which is in every event (`process` of events.def). */
#ifndef PWRTRACE_PROCESS_H
#define PWRTRACE_PROCESS_H

#include <stdint.h>

/* Changes in forked children.  Any thread may read it. */
extern uint32_t process_number;

/* Makes the number, and another one in every forked child.  To be called before the first event;
 * further calls do nothing. */
void process_start(void);

#endif
