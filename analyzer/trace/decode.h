/* SPDX-License-Identifier: MIT */
/* Copies the fields of a CTF event into the struct of events.h.  Fields are matched by name, once
 * for each event class of a trace, so that traces with fewer or more fields can be read. */
#ifndef PWRTRACE_TRACE_DECODE_H
#define PWRTRACE_TRACE_DECODE_H

#include <babeltrace2/babeltrace.h>

#include "analyzer/trace/reader.h"

/* The struct of any event. */
union decode_record {
#define EVENT(name, channel, fields) struct pwrtrace_##name name;
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT
};

struct decoder;

/* Returns the decoder of an event class, for the fields that the sink wants; NULL where the class
 * is not one of pwrtrace's.  The caller frees it with g_free. */
struct decoder *decode_prepare(const bt_event_class *class, const struct reader_sink *sink);

/* Fills record from an event of the decoder's class, and returns which event it is.  Strings in
 * record belong to the event; fields that the trace lacks are unknown. */
enum pwrtrace_event_id decode_event(
	const struct decoder *decoder, const bt_event *event, union decode_record *record);

#endif
