/* SPDX-License-Identifier: MIT */
/* Events that could not be written are counted in the trace, and every report shows them. */
#ifndef PWRTRACE_LOST_H
#define PWRTRACE_LOST_H

#include <stdint.h>

/* Writes that `count` events named `what` are missing, and why; nothing if count is 0.  Both texts
 * are copied.  Any thread. */
void lost_write(const char *what, const char *why, uint64_t count);

#endif
