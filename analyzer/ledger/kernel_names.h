/* SPDX-License-Identifier: MIT */
/* What executions ran, by name: to find a kernel that the user names. */
#ifndef PWRTRACE_KERNEL_NAMES_H
#define PWRTRACE_KERNEL_NAMES_H

#include "analyzer/model/model.h"

/* Names of the kernels, memory operations and graphs of a model.  Executions of one name and shape
 * have the same pointers, in all processes. */
struct kernel_names {
	const char **label; /* by origin: as reports call it, "gemm [512×512 /16×16]" where a name
			     * has several shapes */
	const char **name, **short_name; /* by origin */
	guint origins;
	GStringChunk *strings;
};

struct kernel_names *kernel_names_of(const struct model *model);
void kernel_names_free(struct kernel_names *names); /* NULL is fine */

/* Which origins are those of a kernel that the user names (choose.h).  Returns the label; NULL
 * after an error message, where there is no such kernel, or several are. */
const char *kernel_names_pick(const struct kernel_names *names, const char *wanted);

#endif
