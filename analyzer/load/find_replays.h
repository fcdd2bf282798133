/* SPDX-License-Identifier: MIT */
/* Which executions are replays (replays.h). */
#ifndef PWRTRACE_FIND_REPLAYS_H
#define PWRTRACE_FIND_REPLAYS_H

#include "analyzer/model/model.h"

/* When executions are in order, marks those that are no launches of
 * the program's, and puts them in a layer of their own. */
void find_replays(struct model *model);

#endif
