/* SPDX-License-Identifier: MIT */
/* Finds the executions of replays (model/replays.h). */
#ifndef PWRTRACE_FIND_REPLAYS_H
#define PWRTRACE_FIND_REPLAYS_H

#include "analyzer/model/model.h"

/* Marks the executions that replays launched (origin->replayed), and takes them out of the layers
 * that were open.  Executions must be sorted. */
void find_replays(struct model *model);

/* Marks those that did other work than the program's launches of the same size (find_sizes.h). */
void judge_replays(struct model *model);

#endif
