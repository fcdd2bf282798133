/* SPDX-License-Identifier: MIT */
/*
 * Call stacks of launches.  The launching thread reads the return addresses on its stack and gets
 * an id for their list.  The collector finds the modules they belong to and writes the definitions.
 * The analyzer finds the names of functions.
 */
#ifndef PWRTRACE_CALLSTACK_H
#define PWRTRACE_CALLSTACK_H

#include <stdbool.h>
#include <stdint.h>

/* Prepares what PWRTRACE_STACKS asks for, once, before the first launch; logs why it cannot. */
void callstack_start(void);

/* Returns whether call stacks are recorded. */
bool callstack_wanted(void);

/* Returns the id of the calling thread's call stack, 0 for none.  Takes no lock and allocates
 * nothing, but for return addresses that are seen for the first time (unwind_rule.h).  A stack that
 * cannot be kept is counted as lost. */
uint32_t callstack_current(void);

/* ---- on the collector's thread ---- */

/* Writes the new definitions, or all of them if anew, and how many stacks were lost. */
void callstack_write(bool anew);

/* Returns the id in the trace (stack_def) of a stack of callstack_current, 0 for none.  It is
 * defined once callstack_write was called after callstack_current returned the stack. */
uint32_t callstack_in_trace(uint32_t stack);

#endif
