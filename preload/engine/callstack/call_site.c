/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/call_site.h"

#include <string.h>

#include "preload/common/launch_path.h"

#define ARENA_BYTES (48u << 20)

__thread struct call_site_turn call_site_turn;
uint32_t call_site_slots[CALL_SITE_SLOTS];
READ_AT_LAUNCH struct arena call_site_arena = {0};

bool call_site_start(void)
{
	return arena_make(&call_site_arena, ARENA_BYTES);
}

#define NOTED_MAX 128 /* Python frames of a site */
#define NOTES_MAX 16  /* frames may lie elsewhere each time, as those of coroutines do */

static void note_python(struct call_site *site)
{
	struct python_frame frames[NOTED_MAX];
	size_t bytes;
	unsigned count;

	if (site->notes == NOTES_MAX)
		return;
	site->notes++;
	count = python_note(frames, NOTED_MAX);
	bytes = count * sizeof(*frames);
	if (site->noted_count != (int)count) {
		site->noted_count = CALL_SITE_NOT_NOTED;
		if (count > NOTED_MAX || !(site->noted = arena_take(&call_site_arena, bytes)))
			return;
	}
	memcpy(arena_at(&call_site_arena, site->noted), frames, bytes);
	site->noted_count = (int16_t)count;
}

/* Puts a site before the others that came after the last one. */
static void follow(struct call_site *last, uint32_t place)
{
	uint32_t *followers = last->followers;
	int i = 0;

	while (i < CALL_SITE_FOLLOWERS - 1 && followers[i] != place)
		i++;
	memmove(followers + 1, followers, (size_t)i * sizeof(*followers));
	followers[0] = place;
}

/* The thread comes to a site that was not expected. */
static void arrive(uint32_t place)
{
	struct call_site *site = arena_at(&call_site_arena, place);
	struct call_site *last = arena_at(&call_site_arena, call_site_turn.last);

	if (!call_site_has_python(site))
		note_python(site);
	if (call_site_turn.last)
		follow(last, place);
	call_site_turn.last = place;
	memcpy(call_site_turn.followers, site->followers, sizeof(site->followers));
}

APART uint32_t call_site_find(const struct stack_walk *walk)
{
	uint32_t place = __atomic_load_n(call_site_slot(walk), __ATOMIC_ACQUIRE);

	for (int i = 0; place && i < CALL_SITE_CHAIN_MAX; i++) {
		const struct call_site *site = arena_at(&call_site_arena, place);

		if (site->python_count == walk->python_count &&
			call_site_has_frames(site, walk->base, walk->epoch) &&
			(!walk->python_count ||
				stack_table_has_python(stack_table_stack(site->stack), walk))) {
			arrive(place);
			return site->stack;
		}
		place = site->next;
	}
	call_site_turn = (struct call_site_turn){0};
	return 0;
}

static bool is_crowded(uint32_t place)
{
	int count = 0;

	while (place && count < CALL_SITE_CHAIN_MAX) {
		place = ((const struct call_site *)arena_at(&call_site_arena, place))->next;
		count++;
	}
	return count == CALL_SITE_CHAIN_MAX;
}

/* Returns whether the frames from index first on are all on the thread's own stack. */
static bool is_on_stack(const struct stack_walk *walk, unsigned first)
{
	uint64_t room = walk_stack_end(walk->base) - walk->base - sizeof(walk->pc[0]);

	for (unsigned i = first; i < walk->count; i++)
		if (walk->at[i] < 0 || (uint64_t)walk->at[i] > room)
			return false;
	return !walk->scattered;
}

void call_site_add(const struct stack_walk *walk, unsigned first, uint32_t stack)
{
	unsigned count = walk->count - first;
	uint32_t *slot = call_site_slot(walk), place;
	struct call_site *site;

	if (!is_on_stack(walk, first) || is_crowded(__atomic_load_n(slot, __ATOMIC_ACQUIRE)))
		return;
	place = arena_take(&call_site_arena, sizeof(*site) + count * sizeof(site->frames[0]));
	if (!place)
		return;
	site = arena_at(&call_site_arena, place);
	site->base = walk->base;
	site->thread = call_site_thread();
	site->stack = stack;
	site->epoch = walk->epoch;
	site->noted_count = CALL_SITE_NOT_NOTED;
	site->count = (uint16_t)count;
	site->python_count = (uint16_t)walk->python_count;
	for (unsigned i = 0; i < count; i++) {
		site->frames[i].at = walk->at[first + i];
		site->frames[i].pc = walk->pc[first + i];
	}
	site->next = __atomic_load_n(slot, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		slot, &site->next, place, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}
