/* SPDX-License-Identifier: MIT */
/*
 * Replays beside the program's executions, by their durations.  A replayed kernel may take longer
 * because the clock is lower, or less because its data are in a cache; only the former says
 * anything of the clock.  In the time that the clock does not explain the kernel does other work,
 * so that its power is the same, or it waits, so that its energy is: half of that time is taken to
 * be waiting.
 */
#ifndef PWRTRACE_PACES_H
#define PWRTRACE_PACES_H

#include "analyzer/regress/design/classes.h"

/* Sets the paces of the classes, and what replays draw as a part of what the program's executions
 * do.  Neither is set where nothing was replayed that the program runs, too. */
void paces_find(const struct model *model, struct classes *classes);

#endif
