/* SPDX-License-Identifier: MIT */
/* Names of kernels for a table: short, and different where the full names are. */
#ifndef PWRTRACE_KERNEL_LABEL_H
#define PWRTRACE_KERNEL_LABEL_H

#include <glib.h>
#include <stdbool.h>

/* names: full names and their short ones, pairs in turn; a name may come again.  Returns the label
 * of each full name: the short name; where several have it, with the words in angle brackets that
 * tell them apart, "vectorized_elementwise_kernel<tanh_kernel_cuda>"; where no words do, the full
 * name. The caller destroys the table, which owns what is in it. */
GHashTable *kernel_labels(const GPtrArray *names);

#endif
