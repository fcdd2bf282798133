/* SPDX-License-Identifier: MIT */
/* What kernels are called, and which of them a user means. */
#ifndef PWRTRACE_LABELS_H
#define PWRTRACE_LABELS_H

#include "analyzer/compare/run.h"

/* Labels of the kernels of all runs of two sides. */
struct kernel_labels;

/* base, other: struct compare_run *; they must outlive the result.  Free with labels_free. */
struct kernel_labels *labels_of(const GPtrArray *base, const GPtrArray *other);
void labels_free(struct kernel_labels *labels);

/* What people call a row: a kernel by its label, with its shape behind it where several have its
 * name.  labels NULL: by its whole name and shape.  The caller frees it with g_free. */
char *labels_call(const struct kernel_labels *labels, const struct run_row *row);

/* Returns the kernel that a text means (choose.h) among those of a side's runs; NULL where it means
 * none, with one line in *why, which the caller frees. */
const struct run_row *labels_choose(
	const struct kernel_labels *labels, const GPtrArray *runs, const char *text, char **why);

#endif
