/* SPDX-License-Identifier: MIT */
/* Kernels of our own, by whose names the analyzer knows them. */
#ifndef PWRTRACE_KERNELS_H
#define PWRTRACE_KERNELS_H

#define PWRTRACE_LOAD_KERNEL "pwrtrace_load" /* of sensors --calibrate */
#define PWRTRACE_READ_KERNEL "pwrtrace_read" /* of replays with a cold cache */

#endif
