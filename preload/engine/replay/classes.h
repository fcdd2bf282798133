/* SPDX-License-Identifier: MIT */
/* The classes of kernels that the program launches, for replay.c: which of them are to be replayed,
 * and when.  Any thread may ask. */
#ifndef PWRTRACE_REPLAY_CLASSES_H
#define PWRTRACE_REPLAY_CLASSES_H

#include "preload/engine/replay/replay.h"

/* each_ns: how long each is launched alone. */
void classes_start(uint64_t each_ns);

/* Counts the launch of a replay, of its kernel on its device, and says what it is to be:
 * REPLAY_NOTHING, REPLAY_TIME or REPLAY_TRY.  Sets class_id and usual_ns. */
enum replay_step classes_step(struct replay *replay);

/* Whether that still holds, after this thread has waited for others. */
bool classes_still_due(const struct replay *replay);

void classes_set_usual(const struct replay *replay, uint64_t usual_ns);

/* The class is looked at no more.  Returns whether it was until now. */
bool classes_set_done(const struct replay *replay);

/* What a replay costs is known better now. */
void classes_choose_again(void);

/* Whether the program could not be suspended often enough. */
bool classes_tried_in_vain(const struct replay *replay);

/* How long a replay of the class takes beside the copies of memory. */
uint64_t classes_without_copies_ns(uint64_t usual_ns);

/* How many wait to be replayed, and have been launched lately. */
unsigned classes_waiting(void);

/* At the end: calls say for each class that was to be replayed and was left alone, and why; a
 * constant string. */
void classes_left(void (*say)(uint32_t kernel, uint32_t device, const char *reason));

#endif
