/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_REPLAY_ROOM_H
#define PWRTRACE_REPLAY_ROOM_H

#include <stdint.h>

/* How much host memory the process may still use without harm, in bytes: what the machine has
 * available, and what its control groups allow; UINT64_MAX where neither is told. */
uint64_t room_bytes(void);

#endif
