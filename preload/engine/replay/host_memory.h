/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_REPLAY_HOST_MEMORY_H
#define PWRTRACE_REPLAY_HOST_MEMORY_H

#include <stdint.h>

/* Returns how many bytes of host memory the process may still use without harm: the least of what
 * the machine has available and what its control groups allow; UINT64_MAX if neither is known.
 * Reads files.  Any thread. */
uint64_t host_memory_free_bytes(void);

#endif
