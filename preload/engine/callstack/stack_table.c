/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/stack_table.h"

#include <string.h>

#define SLOTS (1u << 16)
#define SLOTS_USED_MAX (SLOTS / 4 * 3)
#define ARENA_BYTES (32u << 20)

static uint32_t slots[SLOTS]; /* ids by hash, 0 where free */
struct arena stack_table_arena;
static uint32_t used, fresh;
static uint64_t lost;

bool stack_table_start(void)
{
	return arena_make(&stack_table_arena, ARENA_BYTES);
}

uint32_t stack_table_fresh(void)
{
	return __atomic_exchange_n(&fresh, 0, __ATOMIC_ACQUIRE);
}

uint64_t stack_table_lost(void)
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

/* What a stack is found by. */
struct stack_key {
	const struct stack_walk *walk;
	uint64_t hash;
	const uint64_t *pc;
	uint32_t epoch;
	uint16_t count;
};

static bool equal(const struct call_stack *known, const struct stack_key *key)
{
	return known->hash == key->hash && known->epoch == key->epoch &&
	       known->count == key->count && known->cut == key->walk->cut &&
	       memcmp(known->pc, key->pc, key->count * sizeof(*known->pc)) == 0 &&
	       stack_table_has_python(known, key->walk);
}

/* Returns the id of an equal stack, from slot i on; or 0, and in *i the free slot. */
static uint32_t find(const struct stack_key *key, uint32_t *i)
{
	for (;; ++*i) {
		uint32_t id = __atomic_load_n(&slots[*i % SLOTS], __ATOMIC_ACQUIRE);

		if (!id || equal(stack_table_stack(id), key))
			return id;
	}
}

static void tell_collector(uint32_t id)
{
	struct call_stack *stack = stack_table_stack(id);

	stack->next = __atomic_load_n(&fresh, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&fresh, &stack->next, id, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static uint32_t add(const struct stack_key *key, uint32_t i)
{
	unsigned python_count = key->walk->python_count;
	size_t bytes = key->count * sizeof(*key->pc);
	size_t python_bytes = python_count * sizeof(*key->pc);
	uint32_t id = __atomic_load_n(&used, __ATOMIC_RELAXED) < SLOTS_USED_MAX
			      ? arena_take(&stack_table_arena,
					sizeof(struct call_stack) + bytes + python_bytes)
			      : 0;
	struct call_stack *stack = stack_table_stack(id);
	uint32_t known;

	if (!id) {
		__atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
		return 0;
	}
	stack->hash = key->hash;
	stack->epoch = key->epoch;
	stack->count = key->count;
	stack->python_count = (uint16_t)python_count;
	stack->cut = key->walk->cut;
	memcpy(stack->pc, key->pc, bytes);
	memcpy(stack->pc + key->count, key->walk->python, python_bytes);
	for (;;) {
		uint32_t none = 0;

		if (__atomic_compare_exchange_n(&slots[i % SLOTS], &none, id, false,
			    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			break;
		/* Another thread was faster, maybe with the same stack. */
		known = find(key, &i);
		if (known)
			return known;
	}
	__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
	tell_collector(id);
	return id;
}

uint32_t stack_table_id(const struct stack_walk *walk, unsigned first)
{
	struct stack_key key = {.walk = walk,
		.pc = walk->pc + first,
		.epoch = walk->epoch,
		.count = (uint16_t)(walk->count - first)};
	uint32_t i, id;

	key.hash = hash_of(key.pc, key.count, key.epoch);
	key.hash = hash_of(walk->python, walk->python_count, key.hash);
	i = (uint32_t)key.hash;
	id = find(&key, &i);
	return id ? id : add(&key, i);
}
