/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/handles.h"

#include <stdlib.h>

#include "preload/common/table_lock.h"

#define FIRST_SLOTS 256

struct handle_slot {
	uintptr_t handle; /* 0: free */
	uint32_t value;
};

/* A table that was outgrown is not freed before the map is: other threads may still read it. */
struct handle_slots {
	struct handle_slots *outgrown; /* the one before it, or NULL */
	uint32_t mask;
	uint32_t used;
	struct handle_slot slot[];
};

static struct handle_slot *find(struct handle_slots *slots, uintptr_t handle)
{
	uint32_t i = (uint32_t)((handle >> 4) * 0x9e3779b97f4a7c15ULL >> 32);

	for (;; i++) {
		struct handle_slot *slot = &slots->slot[i & slots->mask];
		uintptr_t known = __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE);

		if (known == handle || !known)
			return slot;
	}
}

uint32_t handles_get(const struct handles *map, const void *handle)
{
	struct handle_slots *slots = __atomic_load_n(&map->slots, __ATOMIC_ACQUIRE);
	const struct handle_slot *slot;

	if (!slots)
		return 0;
	slot = find(slots, (uintptr_t)handle);
	if (!__atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE))
		return 0;
	return __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE);
}

static void put(struct handle_slots *slots, uintptr_t handle, uint32_t value)
{
	struct handle_slot *slot = find(slots, handle);

	__atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
	if (slot->handle)
		return;
	slots->used++;
	__atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
}

static struct handle_slots *grown(struct handles *map)
{
	struct handle_slots *old = map->slots, *slots;
	size_t size = old ? old->mask + 1 : 0;

	if (old && old->used * 2 < size)
		return old;
	size = size ? size * 2 : FIRST_SLOTS;
	slots = calloc(1, sizeof(*slots) + size * sizeof(slots->slot[0]));
	if (!slots)
		return NULL;
	slots->outgrown = old;
	slots->mask = size - 1;
	for (size_t i = 0; old && i <= old->mask; i++)
		if (old->slot[i].handle)
			put(slots, old->slot[i].handle, old->slot[i].value);
	__atomic_store_n(&map->slots, slots, __ATOMIC_RELEASE);
	return slots;
}

void handles_set(struct handles *map, const void *handle, uint32_t value)
{
	struct handle_slots *slots;

	if (!handle)
		return;
	table_lock();
	slots = grown(map);
	if (slots)
		put(slots, (uintptr_t)handle, value);
	table_unlock();
}

void handles_clear(struct handles *map)
{
	while (map->slots) {
		struct handle_slots *outgrown = map->slots->outgrown;

		free(map->slots);
		map->slots = outgrown;
	}
}
