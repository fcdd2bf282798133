/* SPDX-License-Identifier: MIT */
/*
 * What replay must know of the program beside the launch that is replayed: its other threads, its
 * captures of graphs, its memory, and what forbids replays.  The program's wrappers report it by
 * replay.h.  Any thread, unless a function says otherwise.
 */
#ifndef PWRTRACE_REPLAY_PROGRAM_STATE_H
#define PWRTRACE_REPLAY_PROGRAM_STATE_H

#include "preload/engine/replay/replay.h"

/* Makes every other thread of the program wait in replay_call_begin until replay_resume_program.
 * Returns false if a thread did not return from its call within a second, or captures a graph.
 * repeats: what is launched meanwhile is a repetition. */
bool replay_suspend_program(bool repeats);
void replay_resume_program(void);

/* Returns how long after the last repetitions something was launched: 0 where it was one, or is not
 * remembered; UINT64_MAX where there had been none. */
uint64_t replay_launched_after_ns(uint64_t launched_ns);

/* Resets the locks in a forked child, which has no other threads. */
void replay_forget_program(void);

/* Returns whether any thread captures a graph. */
bool replay_is_capture_running(void);

/* Returns why no kernel can be replayed now, a constant string, or NULL. */
const char *replay_obstacle(void);

/* Returns whether an address is in known memory. */
bool replay_knows_memory(uintptr_t address);

/* Repeats the fills that the calling thread made right before the launch.  Returns whether all were
 * done. */
bool replay_repeat_fills(void);

/* Returns whether these fills change what is at an address. */
bool replay_refills(uintptr_t address);

/* Returns how much device memory the kernels of a place reach, in bytes. */
uint64_t replay_device_bytes(const void *place);

/* Returns the map of all known memory.  Only while the program is suspended. */
const struct memory *replay_known_memory(void);

#endif
