/* SPDX-License-Identifier: MIT */
/*
 * Call sites: call stacks that a launching thread has had before, recognized without walking.
 *
 * A site holds the stack pointer of a former launch and the positions and values of all return
 * addresses on the stack.  If the same values are at the same positions again, the call stack is
 * the same; this comparison takes a tenth of the time of a walk.  It could be wrong only below a
 * frame of varying size (alloca), if all return addresses above it were left over in their old
 * positions.
 *
 * Any thread; no locks, and no allocation but from an arena.
 */
#ifndef PWRTRACE_CALLSTACK_CALL_SITE_H
#define PWRTRACE_CALLSTACK_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct stack_walk;

/* Reserves memory, once.  Returns false if there is none. */
bool call_site_start(void);

/* Returns the id of the thread's call stack if it is at a known site, else 0.  Of walk, only base,
 * epoch and the Python frames need be filled in. */
uint32_t call_site_find(const struct stack_walk *walk);

/* Keeps the positions of the frames from index first on, as a site of the stack of that id.  Does
 * nothing if memory is full. */
void call_site_add(const struct stack_walk *walk, unsigned first, uint32_t stack);

#endif
