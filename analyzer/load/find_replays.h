/* SPDX-License-Identifier: MIT */
/* Finds the executions of replays (model/replays.h). */
#ifndef PWRTRACE_FIND_REPLAYS_H
#define PWRTRACE_FIND_REPLAYS_H

#include "analyzer/model/model.h"

/* Marks the executions that replays launched (origin->replayed), and takes them out of the layers
 * that were open.  Executions must be sorted. */
void find_replays(struct model *model);

/* Returns the index of the replay that a process made at a time, or MODEL_NONE; once they have been
 * found. */
guint replay_running(const struct model *model, uint32_t process, uint64_t time_ns);

#endif
