/* SPDX-License-Identifier: MIT */
/* All call stacks seen so far: lists of return addresses, each with an id, in a hash table without
 * locks.  Any thread, but for stack_table_fresh.  Nothing is ever removed. */
#ifndef PWRTRACE_CALLSTACK_STACK_TABLE_H
#define PWRTRACE_CALLSTACK_STACK_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "preload/engine/callstack/arena.h"
#include "preload/engine/callstack/walk.h"

extern struct arena stack_table_arena;

struct call_stack {
	uint64_t hash;
	uint32_t epoch; /* walk_epoch(): the addresses of unloaded modules may be reused */
	uint32_t next;  /* in the list of stacks that the collector has not seen */
	uint32_t node;  /* its id in the trace, set by the collector */
	uint16_t count, python_count;
	bool cut;      /* the outer frames are missing */
	uint64_t pc[]; /* count return addresses and python_count frames, the innermost first */
};

/* Reserves memory, once.  Returns false if there is none. */
bool stack_table_start(void);

/* Returns whether a stack has the same Python frames as the walk. */
static inline bool stack_table_has_python(
	const struct call_stack *stack, const struct stack_walk *walk)
{
	return stack->python_count == walk->python_count &&
	       (!walk->python_count || memcmp(stack->pc + stack->count, walk->python,
					       walk->python_count * sizeof(*walk->python)) == 0);
}

/* Returns the id of the stack of the walk's frames from index first on, which is added if it is
 * new; 0 if the table is full. */
uint32_t stack_table_id(const struct stack_walk *walk, unsigned first);

/* Returns the stack of an id, which is never freed. */
static inline struct call_stack *stack_table_stack(uint32_t id)
{
	return arena_at(&stack_table_arena, id);
}

/* Returns the first of the ids that were added since the last call, a list linked by next and ended
 * by 0.  The collector's thread alone. */
uint32_t stack_table_fresh(void);

/* Returns how many stacks found no room since the last call. */
uint64_t stack_table_lost(void);

#endif
