/* SPDX-License-Identifier: MIT */
/* From a CTF event to the struct of events.h: which field goes where is found out once for each
 * event class, so that older and newer traces can be read. */
#ifndef PWRTRACE_TRACE_DECODE_H
#define PWRTRACE_TRACE_DECODE_H

#include <babeltrace2/babeltrace.h>

#include "analyzer/trace/reader.h"

/* Large enough for any event's struct. */
union decode_record {
#define EVENT(name, channel, fields) struct pwrtrace_##name name;
#include "pwrtrace/events.def"
#undef EVENT
};

struct decoder;

/* Returns the decoder of an event class for the fields that the sink wants, or NULL where it
 * is none of pwrtrace's.  g_free it. */
struct decoder *decode_prepare(const bt_event_class *class, const struct reader_sink *sink);

enum pwrtrace_event_id decode_event(
	const struct decoder *decoder, const bt_event *event, union decode_record *record);

#endif
