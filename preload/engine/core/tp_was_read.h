/* SPDX-License-Identifier: MIT */
/*
 * Whether a session took an event.
 *
 * LTTng-UST enables the tracepoints of a session one by one and the session itself last; events
 * written in between are dropped silently.  LTTng evaluates the fields of an event only when it
 * goes into a buffer: so evaluating one of its strings sets tp_was_read.  Each thread has its own.
 */
#ifndef PWRTRACE_TP_WAS_READ_H
#define PWRTRACE_TP_WAS_READ_H

#include <stdbool.h>

extern __thread bool tp_was_read;

/* Returns text. */
static inline const char *tp_note_read(const char *text)
{
	tp_was_read = true;
	return text;
}

#endif
