/* SPDX-License-Identifier: MIT */
/*
 * Bounding calls that have no deadline of their own: liblttng-ctl waits for ever for a session
 * daemon that is frozen.
 */
#ifndef PWRTRACE_RECORD_DEADLINE_H
#define PWRTRACE_RECORD_DEADLINE_H

#include <stdint.h>

/* Runs action(argument) in a thread of its own and returns what it returns; or -ETIMEDOUT after
 * timeout_ns, when the thread is left to itself: argument must then stay valid for ever. */
int within_deadline(int (*action)(void *argument), void *argument, uint64_t timeout_ns);

#endif
