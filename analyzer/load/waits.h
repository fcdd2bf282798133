/* SPDX-License-Identifier: MIT */
/*
 * When the host saw the end of each execution.  A call that waits (as cudaStreamSynchronize)
 * returns after all that it awaits has ended: what had been launched in a stream, a context or on a
 * device before the call; or events, the executions that they belong to, and what had been launched
 * in a stream before an event was recorded there.
 */
#ifndef PWRTRACE_WAITS_H
#define PWRTRACE_WAITS_H

#include "analyzer/load/loader.h"
#include "analyzer/model/order.h"

struct waits *waits_new(void);
void waits_free(struct waits *waits);

/* What a word of events.def says that a call awaits; another word is MODEL_AWAITS_NOTHING. */
enum model_awaits waits_awaited(const char *word);

/* Adds a wait, or the recording of an event, of a process (its index in model->processes), and what
 * one of these, or an execution, had to wait for. */
void waits_add(struct waits *waits, uint32_t process, const struct pwrtrace_sync *e);
void waits_add_dependency(
	struct waits *waits, uint32_t process, const struct pwrtrace_dependency *e);

/* Prepares the waits for waits_end_seen_ns(), when all events have been read. */
void waits_order(struct loader *loader);

/* When the host saw the end of an execution (its index); PWRTRACE_UNKNOWN_U64: never. */
uint64_t waits_end_seen_ns(const struct loader *loader, guint execution);

#endif
