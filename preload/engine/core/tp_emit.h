/* SPDX-License-Identifier: MIT */
/*
 * Writing events: one function per row of events.def, tp_<event>(const struct pwrtrace_<event> *).
 * The strings of the struct must not be NULL; they are copied.  For events with a string, the
 * result says whether a session took the event (or counted it as lost); for others it is always
 * false.  Any thread.  An event costs about 1 ns if no session records it, else about 100 ns.
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
