/* SPDX-License-Identifier: MIT */
/* Fills model->order, where the model has one; else these do nothing. */
#ifndef PWRTRACE_LOAD_ORDER_H
#define PWRTRACE_LOAD_ORDER_H

#include "analyzer/load/loader.h"

/* Adds a wait, or a dependency, of a process (its index in model->processes). */
void order_add_wait(struct loader *loader, uint32_t process, const struct pwrtrace_sync *e);
void order_add_dependency(
	struct loader *loader, uint32_t process, const struct pwrtrace_dependency *e);

/* Sorts the waits, and notes the correlation of each execution, where these were asked for, by the
 * place that it will have.  To be called when executions have their times, before they are sorted
 * by these. */
void order_finish(struct loader *loader);

#endif
