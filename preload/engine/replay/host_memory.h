/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_REPLAY_HOST_MEMORY_H
#define PWRTRACE_REPLAY_HOST_MEMORY_H

#include <stdint.h>

/* How much host memory the process may still use without harm, in bytes: what the machine has
 * available, and what its control groups allow; UINT64_MAX where neither is told. */
uint64_t host_memory_free_bytes(void);

#endif
