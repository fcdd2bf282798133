/* SPDX-License-Identifier: MIT */
/*
 * Writing events: one function per row of events.def, tp_<event>(const struct pwrtrace_<event> *).
 * The strings of the struct must not be NULL and are copied.  Returns, for events that have a
 * string, whether a session took the event (or counted it as lost).  Callable from any thread; an
 * event that no session records costs about a nanosecond, one that is recorded about 100.
 */
#ifndef PWRTRACE_TP_EMIT_H
#define PWRTRACE_TP_EMIT_H

#include <stdbool.h>

#include "pwrtrace/events.h"

#define EVENT(name, channel, fields) bool tp_##name(const struct pwrtrace_##name *event);
#include "pwrtrace/events.def"
#undef EVENT

/* Nonzero while some session records this process. */
int tp_enabled(void);

#endif
