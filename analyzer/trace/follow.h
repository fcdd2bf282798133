/* SPDX-License-Identifier: MIT */
/*
 * Follows a trace while it is recorded: hands over what was written since the last look.
 *
 * Events of one stream file come in the order of their times; those of several, which LTTng flushes
 * at different moments, in no order.  So a definition may come after what it defines.
 */
#ifndef PWRTRACE_TRACE_FOLLOW_H
#define PWRTRACE_TRACE_FOLLOW_H

#include "analyzer/trace/reader.h"

struct follow;

/* Begins at the beginning of the trace at or below a directory, which may still be empty.  Both are
 * borrowed until follow_free().  sink->damaged is not called: what makes no sense is passed over,
 * or waited for. */
struct follow *follow_new(const char *directory, const struct reader_sink *sink);

/* Hands over all whole packets that are new. */
void follow_read(struct follow *follow);

void follow_free(struct follow *follow);

#endif
