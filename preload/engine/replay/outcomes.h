/* SPDX-License-Identifier: MIT */
/*
 * What became of the classes that were to be replayed: each outcome is an event of the trace, and
 * is counted for the log.  Any thread.
 */
#ifndef PWRTRACE_REPLAY_OUTCOMES_H
#define PWRTRACE_REPLAY_OUTCOMES_H

#include <stdint.h>

#include "preload/engine/replay/replay.h"

/* Logs, before the first replay, what replays will cost: length_ns each, and this one cost_ns with
 * the copies of memory. */
void outcomes_announce(const struct replay *replay, uint64_t length_ns, uint64_t cost_ns);

/* Shows on a terminal how far replays are, until log_progress_end; not of bursts, which say that
 * themselves. */
void outcomes_show(const struct replay *replay);

/* Writes that a replay begins: if the process is killed meanwhile, reports know that what follows
 * was not the program's. */
void outcomes_write_begin(uint64_t begin_ns);

/* Writes the event of a replay that ended at end_ns.  reason: why it was refused or left alone, ""
 * if it was made; a constant string. */
void outcomes_write(const struct replay *replay, uint64_t end_ns, const char *reason);

/* Writes the event of a part of a replay that ended at end_ns and was made, and the event that the
 * next part has begun there. */
void outcomes_write_part(const struct replay *replay, uint64_t end_ns);

/* Writes that a class was never replayed, for the reason; needed_ns: what its replay would take. */
void outcomes_write_left(uint32_t kernel, uint32_t device, uint64_t needed_ns, const char *reason);

/* Logs, at the end, how many classes were replayed, refused and left alone. */
void outcomes_log(void);

#endif
