/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose power is known already, so that they are not replayed: the file that
 * PWRTRACE_REPLAY_KNOWN names has a line for each, its name as in kernel_def, grid in work-items,
 * block and shared memory, separated by tabs: "NAME\t1024,1,1\t256,1,1\t0".
 */
#ifndef PWRTRACE_REPLAY_KNOWN_H
#define PWRTRACE_REPLAY_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the file, once; logs a line where it cannot.  Allocates. */
void known_start(void);

/* Returns whether a class of kernels (gpu_kernel) is in the file, and counts it if so: to be asked
 * once for each.  Any thread.  Allocates. */
bool known_take(uint32_t kernel);

/* Logs how many were taken, if any. */
void known_end(void);

#endif
