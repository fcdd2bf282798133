/* SPDX-License-Identifier: MIT */
/* The call stacks that there were: lists of return addresses, each with an id, in a table that
 * needs no lock. */
#ifndef PWRTRACE_CALLSTACK_TABLE_H
#define PWRTRACE_CALLSTACK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct walk;

struct stack {
	uint64_t hash;
	uint32_t epoch; /* modules that were unloaded since have others' addresses */
	uint32_t next;  /* in the list of those that the collector has not seen */
	uint32_t node;  /* set by the collector: its id in the trace */
	uint16_t count, python_count;
	bool cut;
	uint64_t pc[]; /* count return addresses and python_count frames, the innermost first */
};

/* Makes room.  Returns false where there is none. */
bool table_start(void);

/* Whether a stack has the Python frames of the walk. */
bool table_has_python(const struct stack *stack, const struct walk *walk);

/* The id of the frames from first on, added where they are new; 0 where there is no room. */
uint32_t table_id(const struct walk *walk, unsigned first);

struct stack *table_stack(uint32_t id);

/* The ids that were added since the last call, as a list by next; 0 ends it. */
uint32_t table_fresh(void);

/* How many were not, since the last call. */
uint64_t table_lost(void);

#endif
