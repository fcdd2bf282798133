/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider "pwrtrace", generated from events.def.
 *
 * Emit with tp_<event>(&(struct pwrtrace_<event>){...}); see tp_emit.h.  LTTng's headers
 * include this one several times; only tp.c uses it.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER pwrtrace

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "preload/engine/core/tp.h"

#if !defined(PWRTRACE_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PWRTRACE_TP_H

#include <lttng/tracepoint.h>

#include "preload/engine/core/tp_was_read.h"
#include "pwrtrace/events.h"

#define U32(field) lttng_ust_field_integer(uint32_t, field, event->field)
#define U64(field) lttng_ust_field_integer(uint64_t, field, event->field)
#define I32(field) lttng_ust_field_integer(int32_t, field, event->field)
#define I64(field) lttng_ust_field_integer(int64_t, field, event->field)
#define F64(field) lttng_ust_field_float(double, field, event->field)
#define STR(field) lttng_ust_field_string(field, tp_note_read(event->field))
#define EVENT(name, channel, fields)                                                               \
	LTTNG_UST_TRACEPOINT_EVENT(pwrtrace, name,                                                 \
		LTTNG_UST_TP_ARGS(const struct pwrtrace_##name *, event),                          \
		LTTNG_UST_TP_FIELDS(fields))
#include "pwrtrace/events.def"
#undef EVENT

#endif

#include <lttng/tracepoint-event.h>
