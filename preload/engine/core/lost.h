/* SPDX-License-Identifier: MIT */
/* Events that could not be written: counted, and shown by every report. */
#ifndef PWRTRACE_LOST_H
#define PWRTRACE_LOST_H

#include <stdint.h>

/* Says that so many events of the name `what` are missing, and why; nothing for a count of 0. */
void lost_write(const char *what, const char *why, uint64_t count);

#endif
