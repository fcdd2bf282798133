/* SPDX-License-Identifier: MIT */
/*
 * Counters in device memory by which a kernel shares out its work, or appends its results, as CUB's
 * radix sort does.  A repetition that finds what the one before has left takes work that is not
 * there, or writes outside its memory, which can crash the program.  So they are put back before
 * each repetition.
 *
 * They are told by what the first repetition, which finds memory as the program left it, does: in
 * the 64 bytes from an address on that the launch was passed, only few words have changed, all of
 * them whole numbers, by no more than the launch has work-items.  Those that fills before each
 * repetition set are left to these.  Those in the host's memory, and those elsewhere, are not
 * found.
 *
 * On the launching thread, while the rest of the program is suspended (program_state.h).
 */
#ifndef PWRTRACE_REPLAY_COUNTERS_H
#define PWRTRACE_REPLAY_COUNTERS_H

#include "preload/engine/replay/replay.h"

/* There are none so far. */
void counters_forget(void);

/* After the first repetition, which has ended: finds its counters.  Returns false if memory cannot
 * be read. */
bool counters_find(const struct replay *replay);

/* Puts back those that were found.  Returns whether all could be. */
bool counters_put_back(const struct replay *replay);

#endif
