/* SPDX-License-Identifier: MIT */
/*
 * Replays beside the program's executions, by their durations.  A replayed kernel may take longer
 * because the clock is lower, or less because its data are in a cache; only the former says
 * anything of the clock, and so of power.
 */
#ifndef PWRTRACE_PACES_H
#define PWRTRACE_PACES_H

#include "analyzer/regress/design/classes.h"

/* By origin, what durations of its executions are multiplied by, so that they differ from the
 * program's of their class by the clock alone; 1 for the program's.  NULL where nothing was
 * replayed that the program runs, too; else g_free it. */
double *paces_of(const struct model *model, const struct classes *classes);

#endif
