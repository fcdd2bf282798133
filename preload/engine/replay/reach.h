/* SPDX-License-Identifier: MIT */
/*
 * What memory a launch can reach, so that only this is saved: the allocations that its arguments
 * point into, the variables of its module, and what is pointed to from there.
 *
 * Pointers are looked for in REACH_WINDOW bytes from each address on, in words of 8: tables of
 * pointers and descriptors are small, and arguments point to where they begin.  A kernel that takes
 * an address from further behind in an allocation, or computes one, is not seen through.
 *
 * All functions are called on the launching thread while the rest of the program is suspended
 * (program_state.h).
 */
#ifndef PWRTRACE_REPLAY_REACH_H
#define PWRTRACE_REPLAY_REACH_H

#include "preload/engine/replay/replay.h"

#define REACH_WINDOW ((size_t)1 << 20)

/* Begins a launch, of which nothing is known: it may reach all memory of its place. */
void reach_begin(void);

/* The launch is passed an address, or words (of so many bytes, not necessarily aligned) that may be
 * addresses. */
void reach_add(uintptr_t address);
void reach_add_words(const void *words, size_t bytes);

/* Returns the addresses that were added before reach_is_told, in their order, or those at which the
 * memory begins that the launch may reach; of many, the first. */
const uintptr_t *reach_passed(const struct replay *replay, size_t *count);

/* Whatever the launch is passed has been added. */
void reach_is_told(void);
bool reach_told(void);

/* Follows pointers from what was added.  Where they are too many, or memory cannot be read, the
 * launch may reach all memory of its place.  Returns NULL, or why it cannot be repeated: all memory
 * of a place is device memory. */
const char *reach_follow(const struct replay *replay);

/* Returns whether the launch can reach a range of the known memory. */
bool reach_has(const struct replay *replay, const struct memory_range *range);

#endif
