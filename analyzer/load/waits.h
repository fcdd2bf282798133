/* SPDX-License-Identifier: MIT */
/*
 * What the host has seen the end of: a wait returns once all that it awaits has ended.
 *
 * That is what its stream, its context or its device was given before the wait was called; or the
 * executions whose events it awaits, and what their stream was given before an event was recorded.
 * take_sync and take_dependency (take.h) note what the trace says of it.
 */
#ifndef PWRTRACE_WAITS_H
#define PWRTRACE_WAITS_H

#include "analyzer/model/model.h"

struct waits *waits_new(void);
void waits_free(struct waits *waits);

/* Once all is read: puts in order what was awaited. */
void waits_order(struct model *model);

/* When the host had seen an execution's end; PWRTRACE_UNKNOWN_U64: never. */
uint64_t waits_end_seen_ns(const struct model *model, guint execution);

#endif
