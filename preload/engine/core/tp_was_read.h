/* SPDX-License-Identifier: MIT */
/*
 * Knowing whether an event was recorded.
 *
 * LTTng-UST enables the tracepoints of a session one by one and the session itself last: what is
 * written in between is dropped without a trace.  But the fields of an event are read only when it
 * goes into a buffer, so that reading one tells.
 */
#ifndef PWRTRACE_TP_WAS_READ_H
#define PWRTRACE_TP_WAS_READ_H

#include <stdbool.h>

extern __thread bool tp_was_read;

static inline const char *tp_note_read(const char *text)
{
	tp_was_read = true;
	return text;
}

#endif
