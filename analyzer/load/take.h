/* SPDX-License-Identifier: MIT */
/*
 * How events become the model.  For each event of events.def there is a function that takes it, and
 * notes in the model, or in its loader, what it says:
 *
 *	void take_<event>(struct loader *loader, unsigned trace, const struct pwrtrace_<event> *e)
 *
 * pids in e mean something only within the sub-trace; strings in e live for the call.  Which fields
 * none of them reads, and why, says unread.def; the build fails on any other (fields.awk).
 */
#ifndef PWRTRACE_TAKE_H
#define PWRTRACE_TAKE_H

#include "analyzer/load/loader.h"

#define EVENT(name, channel, fields)                                                               \
	void take_##name(struct loader *loader, unsigned trace, const struct pwrtrace_##name *e);
#include "pwrtrace/events.def"
#undef EVENT

/* The functions of a reader_sink (reader.h) whose data is the loader. */
void take_event(void *loader, unsigned trace, enum pwrtrace_event_id id, const void *record);
bool take_wants(void *loader, enum pwrtrace_event_id id, const char *field);
void take_damaged(void *loader);
void take_discarded(void *loader, uint64_t count);

#endif
