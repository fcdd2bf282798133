/* SPDX-License-Identifier: MIT */
/* What the program does beside the launch that is replayed, for replay.c. */
#ifndef PWRTRACE_REPLAY_PROGRAM_H
#define PWRTRACE_REPLAY_PROGRAM_H

#include "preload/replay/replay.h"

/* Makes every other thread of the program wait in replay_hold, until program_resume.  Returns false
 * where one did not come out of its call in time. */
bool program_suspend(void);
void program_resume(void);

/* In a forked child: whoever was suspended is not there. */
void program_forget(void);

/* Whether a capture goes on somewhere. */
bool program_captures(void);

/* Why nothing can be replayed: for ever, or for the memory that is in use; or NULL. */
const char *program_forbids(void);

/* Whether an address is in memory that is known. */
bool program_knows(uintptr_t address);

/* Whether arguments may be addresses of the host's memory, which is not saved. */
bool program_reaches_host(const void *arguments, size_t bytes);

/* Repeats the fills that came right before the launch.  Returns whether it could. */
bool program_fills(void);

/* Copies the device memory that the kernel of a replay can reach into replay->saved.  Returns NULL,
 * or why it cannot, a string that is never freed.  While the program is suspended. */
const char *program_save(struct replay *replay);

/* Puts it back and frees it. */
bool program_restore(struct replay *replay);

#endif
