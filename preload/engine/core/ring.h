/* SPDX-License-Identifier: MIT */
/*
 * A bounded queue from many threads to one, of entries of one size.
 *
 * Claiming and publishing are an atomic operation each, without a lock, an allocation, a system
 * call or a wait: a full ring refuses.  After D. Vyukov's bounded MPMC queue: each slot holds the
 * turn at which it may next be written or read.
 */
#ifndef PWRTRACE_RING_H
#define PWRTRACE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/common/launch_path.h"

struct ring {
	char *slots;
	size_t entry_bytes;
	size_t slot_bytes;
	uint64_t mask;
	uint64_t head __attribute__((aligned(64))); /* the next turn to write */
	uint64_t tail __attribute__((aligned(64))); /* the next turn to read */
};

/* Allocates room for capacity entries, a power of two.  Returns false if memory runs out: then the
 * ring stays as a zeroed one, which refuses every push and has nothing to pop.  It is never freed.
 */
bool ring_init(struct ring *ring, size_t entry_bytes, size_t capacity);

/* Forgets all entries.  No other thread may use the ring meanwhile. */
void ring_reset(struct ring *ring);

struct ring_slot {
	uint64_t turn;
	char entry[];
};

/* Returns the slot of a turn. */
static inline struct ring_slot *ring_slot(const struct ring *ring, uint64_t turn)
{
	return (struct ring_slot *)(ring->slots + (turn & ring->mask) * ring->slot_bytes);
}

/* Brings the slot that will be claimed next into the cache. */
static inline void ring_prefetch(const struct ring *ring)
{
	__builtin_prefetch(ring_slot(ring, __atomic_load_n(&ring->head, __ATOMIC_RELAXED)), 1);
}

/* Returns room for an entry, NULL if the ring is full.  The caller must fill it in and then publish
 * it; entries behind it are not popped before.  Any thread. */
static inline void *ring_claim(struct ring *ring)
{
	/* Enough turns for the cache line to arrive in time.  A slot is little larger than one. */
	enum { PREFETCHED = 4 };
	uint64_t turn = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

	if (!ring->slots)
		return NULL;
	for (;;) {
		struct ring_slot *slot = ring_slot(ring, turn);
		uint64_t seen = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);

		if (LIKELY(seen == turn)) {
			if (!__atomic_compare_exchange_n(&ring->head, &turn, turn + 1, true,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
				continue;
			/* The next slots are still in the cache of the core that read them. */
			__builtin_prefetch(ring_slot(ring, turn + PREFETCHED), 1);
			return slot->entry;
		}
		if (seen < turn)
			return NULL;
		turn = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	}
}

/* Lets an entry that was claimed and filled in be popped. */
static inline void ring_publish(void *entry)
{
	struct ring_slot *slot =
		(struct ring_slot *)((char *)entry - offsetof(struct ring_slot, entry));

	__atomic_store_n(&slot->turn, slot->turn + 1, __ATOMIC_RELEASE);
}

/* Moves the oldest entry to *entry.  Returns false if the ring is empty.  One thread only. */
bool ring_pop(struct ring *ring, void *entry);

#endif
