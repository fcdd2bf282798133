/* SPDX-License-Identifier: MIT */
/* What the program does beside the launch that is replayed, for replay.c. */
#ifndef PWRTRACE_REPLAY_PROGRAM_STATE_H
#define PWRTRACE_REPLAY_PROGRAM_STATE_H

#include "preload/engine/replay/replay.h"

/* Makes every other thread of the program wait in replay_call_begin, until replay_resume_program.
 * Returns false where one did not come out of its call in time. */
bool replay_suspend_program(void);
void replay_resume_program(void);

/* In a forked child: whoever was suspended is not there. */
void replay_forget_program(void);

/* Whether a capture goes on somewhere. */
bool replay_is_capture_running(void);

/* Why nothing can be replayed: for ever, or for the memory that is in use; or NULL. */
const char *replay_obstacle(void);

/* Whether an address is in memory that is known. */
bool replay_knows_memory(uintptr_t address);

/* Whether arguments may be addresses of the host's memory, which is not saved. */
bool replay_may_reach_host(const void *arguments, size_t bytes);

/* Repeats the fills that came right before the launch.  Returns whether it could. */
bool replay_repeat_fills(void);

/* The device memory that kernels of a place reach, in bytes. */
uint64_t replay_device_bytes(const void *place);

/* All memory that is known; while the program is suspended. */
const struct memory *replay_known_memory(void);

#endif
