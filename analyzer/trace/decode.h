/* SPDX-License-Identifier: MIT */
/* Makes records of the events that libbabeltrace2 hands over.  Fields are matched by name once for
 * each event class of a trace. */
#ifndef PWRTRACE_TRACE_DECODE_H
#define PWRTRACE_TRACE_DECODE_H

#include <babeltrace2/babeltrace.h>

#include "analyzer/trace/reader.h"
#include "analyzer/trace/rows.h"

struct decoder;

/* Returns the decoder of an event class, for the fields that the sink wants; NULL where the class
 * is not one of pwrtrace's.  The caller frees it with g_free. */
struct decoder *decode_prepare(const bt_event_class *class, const struct reader_sink *sink);

/* Fills record from an event of the decoder's class, and returns which event it is.  Strings in
 * record belong to the event; fields that the trace lacks are unknown. */
enum pwrtrace_event_id decode_event(
	const struct decoder *decoder, const bt_event *event, union record *record);

#endif
