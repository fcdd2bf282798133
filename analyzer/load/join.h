/* SPDX-License-Identifier: MIT */
/*
 * Joins the launch and the execution of a kernel, which in schema 1 are two events with the same
 * key (process, correlation) and come in any order.  The first one waits for the other; where
 * several wait with the same key, only the last one is kept.
 */
#ifndef PWRTRACE_JOIN_H
#define PWRTRACE_JOIN_H

#include <stdbool.h>
#include <stdint.h>

/* What is known from the launch alone. */
struct launch_record {
	uint64_t launched_ns, return_ns;
	uint32_t layer, stack; /* process-local */
};

struct join;

struct join *join_new(void);
void join_free(struct join *join);

/* Adds a launch.  Returns true, and sets *execution (as given to join_execution), where its
 * execution has waited for it; else the launch waits, and false is returned. */
bool join_launch(struct join *join, uint32_t process, uint32_t correlation,
	const struct launch_record *launch, uint32_t *execution);

/* Adds an execution, by its index.  Returns true, and sets *launch, where its launch has waited for
 * it; else the execution waits, and false is returned. */
bool join_execution(struct join *join, uint32_t process, uint32_t correlation, uint32_t execution,
	struct launch_record *launch);

/* Forgets a launch that waits: its execution has come with all that the launch tells. */
void join_forget_launch(struct join *join, uint32_t process, uint32_t correlation);

/* How many launches wait for their execution. */
uint64_t join_waiting(const struct join *join);

#endif
