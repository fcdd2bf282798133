/* SPDX-License-Identifier: MIT */
/*
 * Call sites: call stacks that a launching thread has had before, recognized without walking.
 *
 * A site holds the stack pointer of a former launch and the positions and values of all return
 * addresses on the stack.  If the same values are at the same positions again, the call stack is
 * the same; this comparison takes a tenth of the time of a walk.  It could be wrong only below a
 * frame of varying size (alloca), if all return addresses above it were left over in their old
 * positions.  The frames of Python are compared in the same way.
 *
 * Most launches come from a site that came after the last one before, as programs repeat
 * themselves.  Others are looked for among all sites, by the functions of Python.
 *
 * Any thread; no locks, and no allocation but from an arena.
 */
#ifndef PWRTRACE_CALLSTACK_CALL_SITE_H
#define PWRTRACE_CALLSTACK_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/common/launch_path.h"
#include "preload/engine/callstack/arena.h"
#include "preload/engine/callstack/python.h"
#include "preload/engine/callstack/stack_table.h"
#include "preload/engine/callstack/walk.h"

#define CALL_SITE_SLOTS (1u << 14)
#define CALL_SITE_CHAIN_MAX 32 /* the most sites of one hash value */
#define CALL_SITE_FOLLOWERS 4

enum { CALL_SITE_NOT_NOTED = -1 };

/* It has a copy of what is compared of its stack, so that a comparison reads memory in one place.
 */
struct call_site {
	uint64_t base;
	uint64_t thread; /* call_site_thread */
	uint32_t next;   /* the next one of the same hash value */
	uint32_t stack;
	uint32_t epoch;
	uint16_t count, python_count;
	uint32_t followers[CALL_SITE_FOLLOWERS]; /* sites of next launches, the last first */
	uint32_t noted;                          /* the place of the Python frames that it had */
	int16_t noted_count;                     /* CALL_SITE_NOT_NOTED, or how many */
	uint16_t notes;                          /* how often they were noted */
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

/* The site of the thread's last launch and its followers; 0 where there is none. */
extern __thread struct call_site_turn {
	uint32_t last;
	uint32_t followers[CALL_SITE_FOLLOWERS];
} call_site_turn;

/* Brings the site that is the most likely next one into the cache. */
static inline void call_site_prefetch(void)
{
	const char *site = arena_at(&call_site_arena, call_site_turn.followers[0]);

	/* Two cache lines have all fields and the first frames. */
	__builtin_prefetch(site);
	__builtin_prefetch(site + 64);
}

/* Tells the calling thread from others that live, without the call that pthread_self is. */
static inline uint64_t call_site_thread(void)
{
	return (uint64_t)&call_site_turn;
}

/* Returns whether the calling thread is at the site's base, and has the site's return addresses.
 * The positions were on the stack of this thread when the site was added, and so they are now. */
static inline bool call_site_has_frames(const struct call_site *site, uint64_t base, uint32_t epoch)
{
	if (site->base != base || site->thread != call_site_thread() || site->epoch != epoch)
		return false;
	for (unsigned i = 0; i < site->count; i++)
		if (*(const uint64_t *)(base + (uint64_t)(int64_t)site->frames[i].at) !=
			site->frames[i].pc)
			return false;
	return true;
}

static inline bool call_site_has_python(const struct call_site *site)
{
	return !python_loop.begin ||
	       (site->noted_count != CALL_SITE_NOT_NOTED &&
		       python_is_noted(arena_at(&call_site_arena, site->noted),
			       (unsigned)site->noted_count));
}

/* Returns the id of the thread's call stack if it is at a follower of the last site, else 0.  base
 * and epoch: as in struct stack_walk. */
static inline uint32_t call_site_expected(uint64_t base, uint32_t epoch)
{
	for (int i = 0; i < CALL_SITE_FOLLOWERS; i++) {
		uint32_t place = call_site_turn.followers[i];
		const struct call_site *site = arena_at(&call_site_arena, place);

		if (LIKELY(place && call_site_has_frames(site, base, epoch) &&
			    call_site_has_python(site))) {
			call_site_turn.last = place;
			memcpy(call_site_turn.followers, site->followers, sizeof(site->followers));
			return site->stack;
		}
	}
	return 0;
}

/* The same at any known site.  walk: with base, epoch and the Python frames.  That site is a
 * follower of the last one from now on. */
uint32_t call_site_find(const struct stack_walk *walk);

/* Keeps the positions of the frames from index first on, as a site of the stack of that id.  Does
 * nothing if memory is full. */
void call_site_add(const struct stack_walk *walk, unsigned first, uint32_t stack);

#endif
