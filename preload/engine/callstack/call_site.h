/* SPDX-License-Identifier: MIT */
/*
 * Call sites: call stacks that a launching thread has had before, recognized without walking.
 *
 * A site holds the stack pointer of a former launch and the positions and values of all return
 * addresses on the stack.  If the same values are at the same positions again, the call stack is
 * the same; this comparison takes a tenth of the time of a walk.  It could be wrong only below a
 * frame of varying size (alloca), if all return addresses above it were left over in their old
 * positions.
 *
 * Any thread; no locks, and no allocation but from an arena.
 */
#ifndef PWRTRACE_CALLSTACK_CALL_SITE_H
#define PWRTRACE_CALLSTACK_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/engine/callstack/arena.h"
#include "preload/engine/callstack/stack_table.h"
#include "preload/engine/callstack/walk.h"

#define CALL_SITE_SLOTS (1u << 14)
#define CALL_SITE_CHAIN_MAX 32 /* the most sites of one hash value */

/* It has a copy of what is compared of its stack, so that a comparison reads memory in one place.
 */
struct call_site {
	uint64_t base;
	uint64_t thread; /* pthread_self */
	uint32_t next;   /* the next one of the same hash value */
	uint32_t stack;
	uint32_t epoch;
	uint16_t count, python_count;
	struct {
		int32_t at; /* in bytes from base */
		uint64_t pc;
	} __attribute__((packed)) frames[];
};

extern uint32_t call_site_slots[CALL_SITE_SLOTS]; /* the newest site of each hash value */
extern struct arena call_site_arena;

static inline uint32_t *call_site_slot(const struct stack_walk *walk)
{
	uint64_t hash = walk->base + walk->epoch;

	/* At one base, where an interpreter calls, it is its functions that differ. */
	for (unsigned i = 0; i < walk->python_count && i < 4; i++)
		hash = hash * 31 + walk->python[i];
	return &call_site_slots[hash * 0x9e3779b97f4a7c15ULL >> 50];
}

/* Reserves memory, once.  Returns false if there is none. */
bool call_site_start(void);

/* Returns whether the walk's thread, at the site's base, has the site's stack.  The positions were
 * on the stack of this thread when the site was added, and so they are now. */
static inline bool call_site_is_here(const struct call_site *site, const struct stack_walk *walk)
{
	if (site->epoch != walk->epoch || site->python_count != walk->python_count)
		return false;
	for (unsigned i = 0; i < site->count; i++)
		if (*(const uint64_t *)(walk->base + (uint64_t)(int64_t)site->frames[i].at) !=
			site->frames[i].pc)
			return false;
	return !walk->python_count || stack_table_has_python(stack_table_stack(site->stack), walk);
}

/* Returns the id of the thread's call stack if it is at a known site, else 0.  Of walk, only base,
 * epoch and the Python frames need be filled in. */
static inline uint32_t call_site_find(const struct stack_walk *walk)
{
	uint64_t thread = (uint64_t)pthread_self();
	uint32_t place = __atomic_load_n(call_site_slot(walk), __ATOMIC_ACQUIRE);

	for (int i = 0; place && i < CALL_SITE_CHAIN_MAX; i++) {
		const struct call_site *site = arena_at(&call_site_arena, place);

		if (site->base == walk->base && site->thread == thread &&
			call_site_is_here(site, walk))
			return site->stack;
		place = site->next;
	}
	return 0;
}

/* Keeps the positions of the frames from index first on, as a site of the stack of that id.  Does
 * nothing if memory is full. */
void call_site_add(const struct stack_walk *walk, unsigned first, uint32_t stack);

#endif
