/* SPDX-License-Identifier: MIT */
#include "analyzer/model/id_map.h"

#include <glib.h>
#include <stdbool.h>

#define SLOTS_AT_FIRST 256 /* the number of slots is always a power of two */

struct slot {
	struct id_key key;
	uint32_t number; /* 0: the slot is free */
};

/* Open addressing with linear probing, at most three quarters full. */
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

#define NEIGHBOURS 4 /* a power of two */

/* The slot of a key where there is no collision.  Ids are counted up, and neighbouring ids get
 * neighbouring slots, since they are looked up one after the other: they share cache lines. */
static gsize home_of(const struct id_map *map, const struct id_key *key)
{
	uint64_t hash =
		key->id / NEIGHBOURS ^ ((uint64_t)key->process << 40) ^ ((uint64_t)key->gpu << 56);

	hash *= UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio: Knuth's multiplicative hash */
	return ((gsize)(hash >> 32) * NEIGHBOURS + key->id % NEIGHBOURS) & (map->count - 1);
}

/* The slot that has the key, or the free one where it belongs. */
static struct slot *slot_of(const struct id_map *map, const struct id_key *key)
{
	gsize place = home_of(map, key);

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
	if (4 * ++map->used > 3 * map->count) {
		grow(map);
		slot = slot_of(map, key);
	}
	slot->key = *key;
	return &slot->number;
}

/* Knuth's Algorithm R (The Art of Computer Programming 6.4) for deletion: later slots move up into
 * the hole, but none to before its home. */
uint32_t id_map_take(struct id_map *map, const struct id_key *key)
{
	struct slot *hole = map->used ? slot_of(map, key) : NULL;
	uint32_t taken = hole ? hole->number : 0;
	gsize mask = map->count - 1, empty;

	if (!taken)
		return 0;
	empty = (gsize)(hole - map->slots);
	for (gsize i = (empty + 1) & mask; map->slots[i].number; i = (i + 1) & mask) {
		gsize home = home_of(map, &map->slots[i].key);

		if (((i - home) & mask) < ((i - empty) & mask))
			continue;
		map->slots[empty] = map->slots[i];
		empty = i;
	}
	map->slots[empty].number = 0;
	map->used--;
	return taken;
}
