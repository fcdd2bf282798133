/* SPDX-License-Identifier: MIT */
/* An arena: memory that any thread takes from without a lock and that is never freed.  Pages that
 * were not taken cost nothing.  An allocation is named by its place, its offset in words; 0 is
 * none. */
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

/* Reserves address space for bytes.  Returns false if there is none. */
static inline bool arena_make(struct arena *arena, size_t bytes)
{
	void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (room == MAP_FAILED)
		return false;
	*arena = (struct arena){room, (uint32_t)(bytes / sizeof(uint64_t)), 1};
	return true;
}

/* Takes zeroed memory of so many bytes, aligned to 8.  Returns its place, 0 if the arena is full.
 */
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

/* Returns the memory at a place, for as long as the process runs. */
static inline void *arena_at(const struct arena *arena, uint32_t place)
{
	return arena->words + place;
}

#endif
