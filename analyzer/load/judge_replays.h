/* SPDX-License-Identifier: MIT */
/* Which replays do the work of the program's launches. */
#ifndef PWRTRACE_JUDGE_REPLAYS_H
#define PWRTRACE_JUDGE_REPLAYS_H

#include "analyzer/model/model.h"

/* Marks the executions of replays that did other work than the program's launches of the same size
 * (find_sizes.h), and of those with a cold cache.  Moves the ends of the latter and the beginnings
 * of the reads between them, so that a kernel has the energy of what it leaves to be written back.
 */
void judge_replays(struct model *model);

#endif
