/* SPDX-License-Identifier: MIT */
/*
 * Call stacks of launches.  The launching thread takes the return addresses on its stack and gets
 * the id of that list; the collector finds out which modules they belong to and writes the
 * definitions.  Names are found by the analyzer.
 */
#ifndef PWRTRACE_CALLSTACK_H
#define PWRTRACE_CALLSTACK_H

#include <stdbool.h>
#include <stdint.h>

/* Prepares what PWRTRACE_STACKS asks for; says where that cannot be done. */
void callstack_start(void);

/* Whether call stacks are taken. */
bool callstack_wanted(void);

/* On a launching thread: the id of its call stack, 0 for none.  It takes no lock and allocates
 * nothing; where the stack cannot be kept, that is counted. */
uint32_t callstack_current(void);

/* ---- on the collector's thread ---- */

/* Writes the definitions that are new, all of them again if anew, and what was lost. */
void callstack_write(bool anew);

/* The id that a stack has in the trace, 0 for none.  What callstack_current returned before the
 * last callstack_write is defined there. */
uint32_t callstack_in_trace(uint32_t stack);

#endif
