/* SPDX-License-Identifier: MIT */
/* How long an execution of each class takes. */
#ifndef PWRTRACE_MEDIANS_H
#define PWRTRACE_MEDIANS_H

#include "analyzer/regress/design/classes.h"

/* The median duration in ns of each class, from a sample of at most 2001 of its executions from
 * first to before end (indexes in model->executions); 0 where there are none.  g_free it. */
double *medians_of(
	const struct model *model, const struct classes *classes, guint first, guint end);

#endif
