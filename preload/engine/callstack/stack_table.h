/* SPDX-License-Identifier: MIT */
/* The call stacks that there were: lists of return addresses, each with an id, in a table that
 * needs no lock. */
#ifndef PWRTRACE_CALLSTACK_STACK_TABLE_H
#define PWRTRACE_CALLSTACK_STACK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct stack_walk;

struct call_stack {
	uint64_t hash;
	uint32_t epoch; /* modules that were unloaded since have others' addresses */
	uint32_t next;  /* in the list of those that the collector has not seen */
	uint32_t node;  /* set by the collector: its id in the trace */
	uint16_t count, python_count;
	bool cut;
	uint64_t pc[]; /* count return addresses and python_count frames, the innermost first */
};

/* Makes room.  Returns false where there is none. */
bool stack_table_start(void);

/* Whether a stack has the Python frames of the walk. */
bool stack_table_has_python(const struct call_stack *stack, const struct stack_walk *walk);

/* The id of the frames from first on, added where they are new; 0 where there is no room. */
uint32_t stack_table_id(const struct stack_walk *walk, unsigned first);

struct call_stack *stack_table_stack(uint32_t id);

/* The ids that were added since the last call, as a list by next; 0 ends it. */
uint32_t stack_table_fresh(void);

/* How many were not, since the last call. */
uint64_t stack_table_lost(void);

#endif
