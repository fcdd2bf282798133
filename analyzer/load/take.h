/* SPDX-License-Identifier: MIT */
/*
 * Adds events to the model.  For each event of events.def there is a function that stores it in
 * the model or in the loader:
 *
 *	void take_<event>(struct loader *loader, unsigned trace, const struct pwrtrace_<event> *e)
 *
 * trace is the number of the sub-trace, within which numbers of processes are unique; strings in e
 * are valid during the call.  Fields that no function reads are listed in unread.def, with the
 * reason; the build fails where a field is neither read nor listed (fields.awk).
 */
#ifndef PWRTRACE_TAKE_H
#define PWRTRACE_TAKE_H

#include "analyzer/load/loader.h"

#define EVENT(name, channel, fields)                                                               \
	void take_##name(struct loader *loader, unsigned trace, const struct pwrtrace_##name *e);
#define OLD_EVENT(name, schema, channel, fields) EVENT(name##_##schema, channel, fields)
#include "pwrtrace/events.def"
#undef EVENT

/* The functions of a reader_sink (reader.h) whose data is the loader. */
void take_event(void *loader, unsigned trace, enum pwrtrace_event_id id, const void *record);
bool take_wants(void *loader, enum pwrtrace_event_id id, const char *field);
bool take_is_new(void *loader, const char *directory);
void take_damaged(void *loader);
void take_discarded(void *loader, uint64_t count);

#endif
