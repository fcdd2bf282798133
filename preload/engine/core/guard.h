/* SPDX-License-Identifier: MIT */
/*
 * The nesting guard: a runtime may be built on another one that is hooked too, and our own code
 * calls hooked functions.  Only the outermost call of a thread is a launch of the program's.
 */
#ifndef PWRTRACE_GUARD_H
#define PWRTRACE_GUARD_H

#include <stdbool.h>

extern __thread unsigned guard_depth;

/* Returns whether this call is the outermost; only then guard_leave must follow. */
static inline bool guard_enter(void)
{
	if (guard_depth)
		return false;
	guard_depth = 1;
	return true;
}

static inline void guard_leave(void)
{
	guard_depth = 0;
}

#endif
