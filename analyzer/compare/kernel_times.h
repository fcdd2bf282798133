/* SPDX-License-Identifier: MIT */
/* How exactly the mean time of an execution of each kernel is known. */
#ifndef PWRTRACE_KERNEL_TIMES_H
#define PWRTRACE_KERNEL_TIMES_H

#include "analyzer/model/model.h"

struct kernel_times;

/* The times of a model's executions, in the order in which they began, without those of replays.
 * The caller frees them with kernel_times_free. */
struct kernel_times *kernel_times_of(const struct model *model);
void kernel_times_free(struct kernel_times *times);

/* Half the 95 % interval of a kernel's mean time, as a part of it; NaN: not known.  name and shape
 * are those of its row in a ledger by kernel. */
double kernel_times_part95(const struct kernel_times *times, const char *name, const char *shape);

#endif
