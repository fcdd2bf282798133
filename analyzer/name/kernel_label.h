/* SPDX-License-Identifier: MIT */
/*
 * Labels of kernels: what people call them, short, and different where the full names are.
 *
 * A label is the kernel's own name without namespaces; with the operations among its template
 * arguments, which tell more than the name of a kernel that applies them to each element; and,
 * where several kernels would be called alike, with the fewest further words that tell them apart:
 * "vectorized_elementwise_kernel<tanh>", "elementwise_kernel<direct_copy, float>".
 */
#ifndef PWRTRACE_KERNEL_LABEL_H
#define PWRTRACE_KERNEL_LABEL_H

#include <glib.h>

/* names holds full, short, full, short ... (const char *), as of kernel_name_full() and
 * kernel_name_short(); repeated pairs are fine.  Returns a table from full name to label.  Where no
 * words tell kernels apart, they have their full names, or, if these are long, numbers.  The caller
 * destroys the table, which owns its strings. */
GHashTable *kernel_labels(const GPtrArray *names);

#endif
