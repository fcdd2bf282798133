/* SPDX-License-Identifier: MIT */
#include "preload/callstack/table.h"

#include <string.h>

#include "preload/callstack/arena.h"
#include "preload/callstack/walk.h"

#define SLOTS (1u << 16)
#define SLOTS_USED_MAX (SLOTS / 4 * 3)
#define ARENA_BYTES (32u << 20)

static uint32_t slots[SLOTS]; /* ids by hash, 0 where free */
static struct arena arena;
static uint32_t used, fresh;
static uint64_t lost;

bool table_start(void)
{
	return arena_make(&arena, ARENA_BYTES);
}

struct stack *table_stack(uint32_t id)
{
	return arena_at(&arena, id);
}

uint32_t table_fresh(void)
{
	return __atomic_exchange_n(&fresh, 0, __ATOMIC_ACQUIRE);
}

uint64_t table_lost(void)
{
	return __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED);
}

static uint64_t hash_of(const uint64_t *words, unsigned count, uint64_t hash)
{
	for (unsigned i = 0; i < count; i++) {
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

static bool equal(const struct stack *a, const struct stack *b)
{
	return a->hash == b->hash && a->epoch == b->epoch && a->count == b->count &&
	       a->cut == b->cut;
}

/* Returns the id of an equal stack, from slot i on; or 0, and in *i the free slot. */
static uint32_t find(const struct stack *wanted, const uint64_t *pc, uint32_t *i)
{
	for (;; ++*i) {
		uint32_t id = __atomic_load_n(&slots[*i % SLOTS], __ATOMIC_ACQUIRE);
		const struct stack *known = table_stack(id);

		if (!id || (equal(known, wanted) &&
				   !memcmp(known->pc, pc, wanted->count * sizeof(*pc))))
			return id;
	}
}

static void tell_collector(uint32_t id)
{
	struct stack *stack = table_stack(id);

	stack->next = __atomic_load_n(&fresh, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&fresh, &stack->next, id, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static uint32_t add(const struct stack *wanted, const uint64_t *pc, uint32_t i)
{
	size_t bytes = wanted->count * sizeof(*pc);
	uint32_t id = __atomic_load_n(&used, __ATOMIC_RELAXED) < SLOTS_USED_MAX
			      ? arena_take(&arena, sizeof(*wanted) + bytes)
			      : 0;
	uint32_t known;

	if (!id) {
		__atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
		return 0;
	}
	*table_stack(id) = *wanted;
	memcpy(table_stack(id)->pc, pc, bytes);
	for (;;) {
		uint32_t none = 0;

		if (__atomic_compare_exchange_n(&slots[i % SLOTS], &none, id, false,
			    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			break;
		/* Another thread was faster, maybe with the same stack. */
		known = find(wanted, pc, &i);
		if (known)
			return known;
	}
	__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
	tell_collector(id);
	return id;
}

uint32_t table_id(const struct walk *walk, unsigned first, uint32_t epoch)
{
	const uint64_t *pc = walk->pc + first;
	struct stack wanted = {
		.count = (uint16_t)(walk->count - first), .epoch = epoch, .cut = walk->cut};
	uint32_t i, id;

	wanted.hash = hash_of(pc, wanted.count, epoch);
	i = (uint32_t)wanted.hash;
	id = find(&wanted, pc, &i);
	return id ? id : add(&wanted, pc, i);
}
