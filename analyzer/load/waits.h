/* SPDX-License-Identifier: MIT */
/*
 * What the host has seen the end of: a wait returns once all that it awaits has ended.
 *
 * That is what its stream, its context or its device was given before the wait was called; or the
 * executions whose events it awaits, and what their stream was given before an event was recorded.
 */
#ifndef PWRTRACE_WAITS_H
#define PWRTRACE_WAITS_H

#include "analyzer/load/loader.h"

struct waits *waits_new(void);
void waits_free(struct waits *waits);

/* Notes a wait, or an order put into a stream, of a process (its index in model->processes), and
 * what one of these, or an execution, had to wait for. */
void waits_add(struct waits *waits, uint32_t process, const struct pwrtrace_sync *e);
void waits_add_dependency(
	struct waits *waits, uint32_t process, const struct pwrtrace_dependency *e);

/* Once all is read: puts in order what was awaited. */
void waits_order(struct loader *loader);

/* When the host had seen an execution's end; PWRTRACE_UNKNOWN_U64: never. */
uint64_t waits_end_seen_ns(const struct loader *loader, guint execution);

#endif
