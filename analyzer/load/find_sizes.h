/* SPDX-License-Identifier: MIT */
/*
 * Finds kernels of one name and shape that do work of different sizes.  Kernels of libraries often
 * have as many blocks as the device has room for, and the amount of work is an argument, which no
 * trace has: a matrix product with four times the inner size takes four times as long, and draws
 * another power.
 */
#ifndef PWRTRACE_FIND_SIZES_H
#define PWRTRACE_FIND_SIZES_H

#include "analyzer/model/model.h"

/* Numbers the sizes of each kernel's work, by gaps between the durations of the program's
 * executions, and sets origin->size of all, of replays too.  Replays must be marked. */
void find_sizes(struct model *model);

#endif
