/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/call_site.h"

#include "preload/common/launch_path.h"

#define ARENA_BYTES (48u << 20)

uint32_t call_site_slots[CALL_SITE_SLOTS];
READ_AT_LAUNCH struct arena call_site_arena = {0};

bool call_site_start(void)
{
	return arena_make(&call_site_arena, ARENA_BYTES);
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
	site->thread = (uint64_t)pthread_self();
	site->stack = stack;
	site->epoch = walk->epoch;
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
