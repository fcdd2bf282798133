/* SPDX-License-Identifier: MIT */
/* The classes (a kernel with its shape, on a device) that the program launches, for replay.c: which
 * are to be replayed, and when.  Any thread; a lock protects the table. */
#ifndef PWRTRACE_REPLAY_CLASSES_H
#define PWRTRACE_REPLAY_CLASSES_H

#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/replay.h"
#include "preload/engine/replay/sizes.h"

/* The time that a kernel of a graph is assumed to take: none of its launches can be timed alone
 * before memory is saved. */
#define CLASSES_ASSUMED_NS (PWRTRACE_NS_PER_MS / 10)

/* Whether the times of its repetitions are compared with those of the program's launches: not of
 * bursts, which have a pause before each, nor of a node of a graph. */
static inline bool classes_compare_times(const struct replay *replay)
{
	return !bursts_launches() && !replay->of_graph;
}

/* Counts a launch of replay->kernel on replay->device.  Returns what to do with it: REPLAY_NOTHING,
 * REPLAY_TIME or REPLAY_TRY.  Sets class_id, usual_ns and of_size. */
enum replay_step classes_step(struct replay *replay);

/* Returns whether replay->step is still to be done, after the thread has waited for others. */
bool classes_still_due(const struct replay *replay);

/* Sets the time that a launch of the class takes alone. */
void classes_set_usual(const struct replay *replay, uint64_t usual_ns);

/* Notes that what was launched at launched_ns took this time on the device: a launch of the
 * program's, or a repetition. */
void classes_ran(uint32_t kernel, uint32_t device, uint64_t launched_ns, uint64_t time_ns);

/* Notes that the first batch of a replay has ended, whose repetitions take replay->each_ns. */
void classes_begin(const struct replay *replay);

/* After a batch of a replay of a class that was replayed before: returns what it has met, which is
 * SIZE_UNKNOWN for a tenth of a second at most. */
enum size_met classes_meet(const struct replay *replay);

/* Returns whether a decision about the replay awaits the device's times of its repetitions. */
bool classes_await_times(const struct replay *replay);

/* Note that its repetitions with a warm cache have ended, and that those with a cold one begin. */
void classes_end_warm(const struct replay *replay);
void classes_begin_cold(const struct replay *replay);

/* Returns whether the program's launches are known by now to take longer than its repetitions with
 * a warm cache, which go on. */
bool classes_are_longer(const struct replay *replay);

/* Returns what is known of the times of these repetitions, and of the program's launches. */
struct replay_times classes_times(const struct replay *replay);

/* Notes that it was decided whether a cold cache matters to this replay. */
void classes_settle(const struct replay *replay);

/* Notes that a replay of what was wanted has ended. */
void classes_replayed(const struct replay *replay);

/* Notes that a replay met what was not wanted. */
void classes_missed(const struct replay *replay);

/* Marks the class as done: its replay begins.  Only other sizes of it, or this one with a cold
 * cache, are replayed later. */
void classes_set_done(const struct replay *replay);

/* Marks the class as one of which nothing is timed or replayed any more.  Returns false if nothing
 * was due. */
bool classes_refuse(const struct replay *replay);

/* Makes the next launch choose again, because the cost of replays is known better. */
void classes_choose_again(void);

/* Counts a failed attempt to suspend the program for the class.  Returns whether to give up. */
bool classes_tried_in_vain(const struct replay *replay);

/* Returns how many classes wait to be replayed and have been launched lately. */
unsigned classes_waiting(void);

/* At the end of the process: calls say for each class that was left alone though it was to be
 * replayed, with what its replay would take and the reason, a constant string. */
void classes_left(
	void (*say)(uint32_t kernel, uint32_t device, uint64_t needed_ns, const char *reason));

#endif
