/* SPDX-License-Identifier: MIT */
/*
 * Launches and executions of kernels are two events, joined on (process, correlation) whichever
 * comes first.  Of several launches, or executions, that wait under one key, the last one does.
 */
#ifndef PWRTRACE_JOIN_H
#define PWRTRACE_JOIN_H

#include <stdbool.h>
#include <stdint.h>

/* What only the launch says. */
struct launch_record {
	uint64_t launched_ns, return_ns;
	uint32_t layer, stack; /* process-local */
};

struct join;

struct join *join_new(void);
void join_free(struct join *join);

/* A launch has come.  Returns whether an execution has waited for it, and which; else the launch
 * waits. */
bool join_launch(struct join *join, uint32_t process, uint32_t correlation,
	const struct launch_record *launch, uint32_t *execution);

/* An execution has come.  Returns whether its launch has waited, and that; else the execution does.
 */
bool join_execution(struct join *join, uint32_t process, uint32_t correlation, uint32_t execution,
	struct launch_record *launch);

/* How many launches still wait. */
uint64_t join_waiting(const struct join *join);

#endif
