/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/ring.h"

#include <string.h>
#include <sys/mman.h>

/* Makes a slot ready to be written at a turn. */
static void free_slot(struct ring *ring, uint64_t turn)
{
	ring_slot(ring, turn)->turn = turn;
}

/* Touches no other slots: in the child of a fork each page that is written is copied. */
void ring_reset(struct ring *ring)
{
	for (; ring->tail != ring->head; ring->tail++)
		free_slot(ring, ring->tail + ring->mask + 1);
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
	ring->head = ring->tail = 0;
	for (uint64_t turn = 0; turn < capacity; turn++)
		free_slot(ring, turn);
	return true;
}

bool ring_pop(struct ring *ring, void *entry)
{
	struct ring_slot *slot;

	if (!ring->slots)
		return false;
	slot = ring_slot(ring, ring->tail);
	if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != ring->tail + 1)
		return false;
	memcpy(entry, slot->entry, ring->entry_bytes);
	__atomic_store_n(&slot->turn, ring->tail + ring->mask + 1, __ATOMIC_RELEASE);
	ring->tail++;
	return true;
}
