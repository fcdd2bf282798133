/* SPDX-License-Identifier: MIT */
/* Finds the executions of replays (model/replays.h). */
#ifndef PWRTRACE_FIND_REPLAYS_H
#define PWRTRACE_FIND_REPLAYS_H

#include "analyzer/model/model.h"

/* Marks the executions that replays launched (origin->replayed), and moves them to a layer of their
 * own.  Executions must be sorted. */
void find_replays(struct model *model);

#endif
