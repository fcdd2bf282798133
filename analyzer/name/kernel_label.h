/* SPDX-License-Identifier: MIT */
/* Labels of kernels for a table: as short as possible, and different where the full names are. */
#ifndef PWRTRACE_KERNEL_LABEL_H
#define PWRTRACE_KERNEL_LABEL_H

#include <glib.h>
#include <stdbool.h>

/* names holds full, short, full, short ... (const char *); repeated pairs are fine.  Returns a
 * table from full name to label: the short name; where several kernels have the same one, with the
 * words in angle brackets that tell them apart, as
 * "vectorized_elementwise_kernel<tanh_kernel_cuda>"; and the full name where no words do.  The
 * caller destroys the table, which owns its strings. */
GHashTable *kernel_labels(const GPtrArray *names);

#endif
