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

/* Whether it reads other memory, so that the next execution of a replay finds a cold cache. */
bool replay_is_read(const struct model *model, const struct model_origin *origin);

/* Whether executions of a replay found a cold cache; and whether others of it found a warm one, so
 * that its mean time alone tells of the program's executions. */
bool replay_is_cold(const struct model_replay *replay);
bool replay_is_mixed(const struct model_replay *replay);

#endif
