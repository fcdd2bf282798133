/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/call_site.h"

#include <string.h>

#include "preload/engine/callstack/arena.h"
#include "preload/engine/callstack/stack_table.h"
#include "preload/engine/callstack/walk.h"

#define SLOTS (1u << 14)
#define ARENA_BYTES (16u << 20)
#define CHAIN_MAX 8 /* the most sites of one hash value */

struct call_site {
	uint64_t base;
	uint32_t next; /* the next one of the same hash value */
	uint32_t stack;
	int32_t at[]; /* the position of each frame of the stack, in bytes from base */
};

static uint32_t slots[SLOTS]; /* the newest site of each hash value */
static struct arena arena;

bool call_site_start(void)
{
	return arena_make(&arena, ARENA_BYTES);
}

static uint32_t *slot_of(uint64_t base, uint32_t epoch)
{
	return &slots[(base + epoch) * 0x9e3779b97f4a7c15ULL >> 50];
}

static bool is_crowded(uint32_t place)
{
	int count = 0;

	while (place && count < CHAIN_MAX) {
		place = ((const struct call_site *)arena_at(&arena, place))->next;
		count++;
	}
	return count == CHAIN_MAX;
}

static bool is_here(const struct call_site *site, const struct call_stack *stack)
{
	const char *base = (const char *)site->base;

	if (!walk_on_stack(site->base, (uint64_t)(base + site->at[stack->count - 1])))
		return false;
	for (unsigned i = 0; i < stack->count; i++)
		if (*(const uint64_t *)(base + site->at[i]) != stack->pc[i])
			return false;
	return true;
}

uint32_t call_site_find(const struct stack_walk *walk)
{
	uint32_t place = __atomic_load_n(slot_of(walk->base, walk->epoch), __ATOMIC_ACQUIRE);

	for (int i = 0; place && i < CHAIN_MAX; i++) {
		const struct call_site *site = arena_at(&arena, place);
		const struct call_stack *stack = stack_table_stack(site->stack);

		if (site->base == walk->base && stack->epoch == walk->epoch &&
			stack_table_has_python(stack, walk) && is_here(site, stack))
			return site->stack;
		place = site->next;
	}
	return 0;
}

void call_site_add(const struct stack_walk *walk, unsigned first, uint32_t stack)
{
	unsigned count = walk->count - first;
	size_t bytes = count * sizeof(walk->at[0]);
	uint32_t *slot = slot_of(walk->base, stack_table_stack(stack)->epoch), place;
	struct call_site *site;

	if (walk->scattered || walk->at[first] < 0 ||
		is_crowded(__atomic_load_n(slot, __ATOMIC_ACQUIRE)))
		return;
	place = arena_take(&arena, sizeof(*site) + bytes);
	if (!place)
		return;
	site = arena_at(&arena, place);
	site->base = walk->base;
	site->stack = stack;
	memcpy(site->at, walk->at + first, bytes);
	site->next = __atomic_load_n(slot, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		slot, &site->next, place, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}
