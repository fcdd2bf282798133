/* SPDX-License-Identifier: MIT */
/*
 * Call sites: where a launching thread has been before.
 *
 * A site is where the stack pointer stood and where on the stack which return addresses did.  If
 * they all stand there again, the call stack is the same: comparing them takes a tenth of the time
 * of walking.  A frame whose size varies (alloca) could hide another path, if all addresses above
 * it happened to be left over in their old places.
 */
#ifndef PWRTRACE_CALLSTACK_CALL_SITE_H
#define PWRTRACE_CALLSTACK_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct stack_walk;

bool call_site_start(void);

/* The stack's id where the thread is at a known site, else 0.  Of the walk, base, epoch and the
 * Python frames are there. */
uint32_t call_site_find(const struct stack_walk *walk);

/* Keeps where the frames from first on stand; does nothing where there is no room. */
void call_site_add(const struct stack_walk *walk, unsigned first, uint32_t stack);

#endif
