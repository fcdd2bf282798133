/* SPDX-License-Identifier: MIT */
/* Which replays do the work of the program's launches. */
#ifndef PWRTRACE_JUDGE_REPLAYS_H
#define PWRTRACE_JUDGE_REPLAYS_H

#include "analyzer/model/model.h"

/* Marks the executions of replays that did other work than the program's launches of the same size
 * (find_sizes.h), and of those with a cold cache, and moves what is written back of the latter. */
void judge_replays(struct model *model);

#endif
