/* SPDX-License-Identifier: MIT */
/* The events of events.def as rows of fields, by which a trace's events become records: the structs
 * of events.h.  Fields are matched by name, so that older and newer traces can be read. */
#ifndef PWRTRACE_TRACE_ROWS_H
#define PWRTRACE_TRACE_ROWS_H

#include <stddef.h>

#include "pwrtrace/events.h"

/* The record of any event. */
union record {
#define EVENT(name, channel, fields) struct pwrtrace_##name name;
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT
};

struct row_field {
	const char *name;
	enum pwrtrace_field_type type;
	size_t offset; /* in the record, in bytes */
};

struct row {
	const char *event; /* as in a trace, "pwrtrace:kernel_exec" */
	enum pwrtrace_event_id id;
	size_t field_count;
	const struct row_field *fields;
};

/* Returns the row for an event of a trace that has these fields: of the rows with its name, which
 * are one for each schema that changed it, the one that has most of its fields there.  NULL where
 * the event is not one of pwrtrace's. */
const struct row *row_choose(const char *event, const char *const *fields, size_t count);

/* Returns the row whose struct the records of an event are. */
const struct row *row_of(enum pwrtrace_event_id id);

/* Returns the index of the field of a trace that a field of a row is; count where it is none of
 * them. */
size_t row_source(const struct row_field *field, const char *const *fields, size_t count);

/* Sets every field of a record to unknown. */
void row_set_unknown(const struct row *row, union record *record);

#endif
