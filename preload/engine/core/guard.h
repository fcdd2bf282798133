/* SPDX-License-Identifier: MIT */
/*
 * The guard against nested calls.  A GPU runtime may be built on another one that is hooked too,
 * and our own code calls hooked functions: only the outermost hooked call of a thread is the
 * program's. Any thread.
 */
#ifndef PWRTRACE_GUARD_H
#define PWRTRACE_GUARD_H

#include <stdbool.h>

extern __thread unsigned guard_depth; /* 1 within a hooked call, else 0 */

/* Returns whether this call is the outermost one; if so, guard_leave must follow. */
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
