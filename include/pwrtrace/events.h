/* SPDX-License-Identifier: MIT */
/*
 * The trace schema in C, made from events.def: an id and a struct per event.
 *
 * Strings in the structs are NUL-terminated and borrowed: whoever fills a struct keeps them alive
 * for as long as the struct is used.
 */
#ifndef PWRTRACE_EVENTS_H
#define PWRTRACE_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "pwrtrace/units.h"

/* Grows when an event or a field changes its meaning; new events and fields need no new version. */
#define PWRTRACE_SCHEMA 2

/* An event of an older schema is named name_schema in C. */
enum pwrtrace_event_id {
#define EVENT(name, channel, fields) PWRTRACE_EV_##name,
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT
	PWRTRACE_EV_COUNT
};

#define U32(field) uint32_t field;
#define U64(field) uint64_t field;
#define I32(field) int32_t field;
#define I64(field) int64_t field;
#define F64(field) double field;
#define STR(field) const char *field;
#define EVENT(name, channel, fields)                                                               \
	struct pwrtrace_##name {                                                                   \
		fields                                                                             \
	};
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT
#undef U32
#undef U64
#undef I32
#undef I64
#undef F64
#undef STR

/* duration_ns of an execution whose times are in long_times. */
#define PWRTRACE_LONG_U32 (UINT32_MAX - 1)

enum pwrtrace_field_type {
	PWRTRACE_U32,
	PWRTRACE_U64,
	PWRTRACE_I32,
	PWRTRACE_I64,
	PWRTRACE_F64,
	PWRTRACE_STR,
};

/* Begins the `why` of a recording_end where what was recorded went on. */
#define PWRTRACE_CUT_OFF "cut off: "

#endif
