/* SPDX-License-Identifier: MIT */
/* What the program does beside the launch that is replayed, for replay.c. */
#ifndef PWRTRACE_REPLAY_PROGRAM_H
#define PWRTRACE_REPLAY_PROGRAM_H

#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/replay.h"

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

/* The device memory that kernels of a place reach, in bytes. */
uint64_t program_bytes(const void *place);

/* All memory that is known; while the program is suspended. */
const struct memory *program_memory(void);

/* How long it takes to save it and put it back, as far as that is known without asking a driver: an
 * assumption is at most half of what is left of the budget, so that it keeps nobody from measuring,
 * and what there is no room for takes no time. */
uint64_t program_copies_ns(const struct replay_api *api, const void *place);

/* ---- saving it: while the program is suspended ---- */

/* Takes room for the device memory that the kernel of a replay can reach: replay->saved.  Returns
 * NULL, or why it cannot, a string that is never freed. */
const char *program_take_room(struct replay *replay);

/* Where that is. */
enum budget_way program_way(const struct replay *replay);

/* Copies it there.  Where that and copying it back will take longer than copies_ns it gives up and
 * returns program_too_slow; else like the last. Whatever it returns, program_drop or
 * program_restore must follow. */
extern const char program_too_slow[];
const char *program_save(struct replay *replay, uint64_t copies_ns);

/* Gives the room back.  The other copies what is in it back before that, and returns whether it
 * could. */
void program_drop(struct replay *replay);
bool program_restore(struct replay *replay);

#endif
