/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/ring.h"

#include <string.h>
#include <sys/mman.h>

/* How many turns ahead a slot is prefetched: enough for its cache line to arrive in time.  A slot
 * is little larger than one line. */
#define PREFETCH_TURNS 4

struct ring_slot {
	uint64_t turn;
	char entry[];
};

static struct ring_slot *slot_of(const struct ring *ring, uint64_t turn)
{
	return (struct ring_slot *)(ring->slots + (turn & ring->mask) * ring->slot_bytes);
}

void ring_reset(struct ring *ring)
{
	ring->head = 0;
	ring->tail = 0;
	for (uint64_t turn = 0; ring->slots && turn <= ring->mask; turn++)
		slot_of(ring, turn)->turn = turn;
}

bool ring_init(struct ring *ring, size_t entry_bytes, size_t capacity)
{
	void *slots;

	ring->entry_bytes = entry_bytes;
	ring->slot_bytes = sizeof(struct ring_slot) + (entry_bytes + 7) / 8 * 8;
	ring->mask = capacity - 1;
	slots = mmap(NULL, ring->slot_bytes * capacity, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (slots == MAP_FAILED)
		return false;
	ring->slots = slots;
	ring_reset(ring);
	return true;
}

bool ring_push(struct ring *ring, const void *entry)
{
	uint64_t turn = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

	if (!ring->slots)
		return false;
	for (;;) {
		struct ring_slot *slot = slot_of(ring, turn);
		uint64_t seen = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);

		if (seen == turn) {
			if (!__atomic_compare_exchange_n(&ring->head, &turn, turn + 1, true,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
				continue;
			memcpy(slot->entry, entry, ring->entry_bytes);
			__atomic_store_n(&slot->turn, turn + 1, __ATOMIC_RELEASE);
			/* The next slots are still in the cache of the core that read them. */
			__builtin_prefetch(slot_of(ring, turn + PREFETCH_TURNS), 1);
			return true;
		}
		if (seen < turn)
			return false;
		turn = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	}
}

bool ring_pop(struct ring *ring, void *entry)
{
	struct ring_slot *slot;

	if (!ring->slots)
		return false;
	slot = slot_of(ring, ring->tail);
	if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != ring->tail + 1)
		return false;
	memcpy(entry, slot->entry, ring->entry_bytes);
	__atomic_store_n(&slot->turn, ring->tail + ring->mask + 1, __ATOMIC_RELEASE);
	ring->tail++;
	return true;
}
