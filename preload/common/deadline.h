/* SPDX-License-Identifier: MIT */
/*
 * Bounding calls that have no deadline of their own: liblttng-ctl waits for ever for a session
 * daemon that is frozen, and a driver may never answer.
 */
#ifndef PWRTRACE_DEADLINE_H
#define PWRTRACE_DEADLINE_H

#include <stdint.h>

#include "preload/common/clock.h"

/* How long opening the sources of power may take, and what is said of one (its name) that takes
 * longer.  Where nothing keeps NVIDIA's driver initialized, it initializes each GPU, for seconds.
 */
#define DEADLINE_DRIVERS_NS (60 * PWRTRACE_NS_PER_S)
#define DEADLINE_DRIVERS_SILENT                                                                    \
	"%.200s does not answer, as where its driver hangs; name other sources with --power"

/* Runs action(argument) in a thread of its own and returns what it returns; or -ETIMEDOUT after
 * timeout_ns, when the thread is left to itself: argument must then stay valid for ever. */
int within_deadline(int (*action)(void *argument), void *argument, uint64_t timeout_ns);

#endif
