/* SPDX-License-Identifier: MIT */
/* How the fields of an event class of a trace, as they lie in a packet, become a record. */
#ifndef PWRTRACE_TRACE_PLAN_H
#define PWRTRACE_TRACE_PLAN_H

#include <stdint.h>

#include "analyzer/trace/reader.h"
#include "analyzer/trace/rows.h"

#define PLAN_FIELDS_MAX 64

/* A field of an event class, at a byte and in the byte order of the machine. */
struct plan_field {
	const char *name;
	enum { PLAN_UNSIGNED, PLAN_SIGNED, PLAN_REAL, PLAN_TEXT } kind;
	size_t bytes; /* 0: a text, which ends with its first NUL */
};

struct plan;

/* Returns a plan for an event class with these fields (PLAN_FIELDS_MAX at most), which takes from
 * them what the sink wants; NULL where a field has another type than in events.def.  The caller
 * frees it with g_free. */
struct plan *plan_make(const char *event, const struct plan_field *fields, size_t count,
	const struct reader_sink *sink);

/* Takes the fields between at and limit into the plan's record, whose texts then point to there.
 * Returns where the fields end, or NULL where they do not end before limit. */
const char *plan_take(struct plan *plan, const char *at, const char *limit);

/* Hands the plan's record to a sink, if it is an event of pwrtrace's. */
void plan_hand_over(const struct plan *plan, unsigned trace, const struct reader_sink *sink);

#endif
