/* SPDX-License-Identifier: MIT */
/* Memory that is only ever taken, from any thread and without a lock; pages that were not taken
 * cost nothing.  What was taken is named by its place, counted in words; 0 names nothing. */
#ifndef PWRTRACE_CALLSTACK_ARENA_H
#define PWRTRACE_CALLSTACK_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

struct arena {
	uint64_t *words;
	uint32_t size, used; /* words */
};

static inline bool arena_make(struct arena *arena, size_t bytes)
{
	void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (room == MAP_FAILED)
		return false;
	*arena = (struct arena){room, (uint32_t)(bytes / sizeof(uint64_t)), 1};
	return true;
}

/* Returns a place for so many bytes, all zero, or 0. */
static inline uint32_t arena_take(struct arena *arena, size_t bytes)
{
	uint32_t words = (uint32_t)((bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t));
	uint32_t place = __atomic_load_n(&arena->used, __ATOMIC_RELAXED);

	do {
		if (words > arena->size - place)
			return 0;
	} while (!__atomic_compare_exchange_n(
		&arena->used, &place, place + words, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return place;
}

static inline void *arena_at(const struct arena *arena, uint32_t place)
{
	return arena->words + place;
}

#endif
