/* SPDX-License-Identifier: MIT */
/* What ran before each execution of a kernel, which its power may depend on (FinGraV, fig. 9). */
#ifndef PWRTRACE_BEFORE_H
#define PWRTRACE_BEFORE_H

#include "analyzer/profile/runs.h"

#define BEFORE_NS 5e6 /* how long before an execution is looked at */

struct befores {
	guint *part_of;   /* by execution of the runs: from 1, an element of names */
	GPtrArray *names; /* const char *, of labels; "idle" where mostly nothing ran */
};

/* Finds what filled most of the 5 ms before each execution of the runs, on the same device.
 * labels: by origin, where equal names are equal pointers.  Free with befores_clear. */
struct befores befores_find(
	const struct model *model, const struct runs *runs, const char *const *labels);
void befores_clear(struct befores *befores);

#endif
