/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/id_map.h"

#include <glib.h>
#include <stdbool.h>

#define SLOTS_AT_FIRST 1024 /* a power of two, as they always are */

struct slot {
	struct id_key key;
	uint32_t number; /* 0: the slot is free */
};

/* Open addressing with linear probing, at most half full. */
struct id_map {
	struct slot *slots;
	gsize count, used;
};

struct id_map *id_map_new(void)
{
	struct id_map *map = g_new0(struct id_map, 1);

	map->count = SLOTS_AT_FIRST;
	map->slots = g_new0(struct slot, map->count);
	return map;
}

void id_map_free(struct id_map *map)
{
	g_free(map->slots);
	g_free(map);
}

static bool same(const struct id_key *a, const struct id_key *b)
{
	return a->id == b->id && a->process == b->process && a->gpu == b->gpu;
}

/* The key's slot, or the one where it belongs. */
static struct slot *slot_of(const struct id_map *map, const struct id_key *key)
{
	uint64_t hash = key->id ^ ((uint64_t)key->process << 40) ^ ((uint64_t)key->gpu << 56);
	gsize place;

	hash *= UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio: Knuth's multiplicative hash */
	place = (gsize)(hash >> 32) & (map->count - 1);
	while (map->slots[place].number && !same(&map->slots[place].key, key))
		place = (place + 1) & (map->count - 1);
	return &map->slots[place];
}

static void grow(struct id_map *map)
{
	struct id_map old = *map;

	map->count *= 2;
	map->slots = g_new0(struct slot, map->count);
	for (gsize i = 0; i < old.count; i++)
		if (old.slots[i].number)
			*slot_of(map, &old.slots[i].key) = old.slots[i];
	g_free(old.slots);
}

uint32_t *id_map_at(struct id_map *map, const struct id_key *key)
{
	struct slot *slot = slot_of(map, key);

	if (slot->number)
		return &slot->number;
	if (2 * ++map->used > map->count) {
		grow(map);
		slot = slot_of(map, key);
	}
	slot->key = *key;
	return &slot->number;
}
