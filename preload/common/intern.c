/* SPDX-License-Identifier: MIT */
#include "preload/common/intern.h"

#include <stdlib.h>
#include <string.h>

#include "preload/common/table_lock.h"

#define FIRST_SLOTS 256

/* A hash table with open addressing: each slot has an id, or 0 where it is free.  When it grows the
 * old one stays, because readers may still be in it; all old ones together are smaller than the
 * last. */
struct intern_slots {
	uint32_t mask;
	uint32_t ids[];
};

/* FNV-1a, eight bytes at a time. */
static uint32_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325ULL ^ length;

	for (; length >= 8; bytes += 8, length -= 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 29;
	}
	for (; length; bytes++, length--)
		hash = (hash ^ (unsigned char)*bytes) * 0x100000001b3ULL;
	return (uint32_t)(hash ^ hash >> 32);
}

const struct intern_key *intern_get(const struct intern *set, uint32_t id)
{
	struct intern_key **chunk =
		__atomic_load_n(&set->chunks[(id - 1) / INTERN_CHUNK], __ATOMIC_ACQUIRE);

	return chunk[(id - 1) % INTERN_CHUNK];
}

uint32_t intern_count(const struct intern *set)
{
	return __atomic_load_n(&set->count, __ATOMIC_ACQUIRE);
}

static uint32_t find(const struct intern *set, const struct intern_slots *slots, uint32_t hash,
	const void *key, size_t length)
{
	for (uint32_t i = hash;; i++) {
		uint32_t id = __atomic_load_n(&slots->ids[i & slots->mask], __ATOMIC_ACQUIRE);
		const struct intern_key *known;

		if (!id)
			return 0;
		known = intern_get(set, id);
		if (known->hash == hash && known->length == length &&
			memcmp(known->bytes, key, length) == 0)
			return id;
	}
}

static void put(struct intern_slots *slots, uint32_t hash, uint32_t id)
{
	uint32_t i = hash;

	while (slots->ids[i & slots->mask])
		i++;
	__atomic_store_n(&slots->ids[i & slots->mask], id, __ATOMIC_RELEASE);
}

/* Makes room for one more key; returns the table to use, or NULL. */
static struct intern_slots *grown(struct intern *set)
{
	struct intern_slots *old = set->slots, *slots;
	size_t size = old ? old->mask + 1 : 0;

	if (old && set->count * 2 < size)
		return old;
	size = size ? size * 2 : FIRST_SLOTS;
	slots = calloc(1, sizeof(*slots) + size * sizeof(slots->ids[0]));
	if (!slots)
		return NULL;
	slots->mask = size - 1;
	for (uint32_t id = 1; id <= set->count; id++)
		put(slots, intern_get(set, id)->hash, id);
	__atomic_store_n(&set->slots, slots, __ATOMIC_RELEASE);
	return slots;
}

static uint32_t add(struct intern *set, uint32_t hash, const void *key, size_t length)
{
	struct intern_slots *slots = grown(set);
	uint32_t index = set->count;
	struct intern_key ***chunk = &set->chunks[index / INTERN_CHUNK];
	struct intern_key *entry;

	if (!slots || index >= INTERN_CHUNK * INTERN_CHUNKS || (set->limit && index >= set->limit))
		return 0;
	if (!*chunk) {
		struct intern_key **fresh = calloc(INTERN_CHUNK, sizeof(*fresh));

		if (!fresh)
			return 0;
		__atomic_store_n(chunk, fresh, __ATOMIC_RELEASE);
	}
	entry = malloc(sizeof(*entry) + length + 1);
	if (!entry)
		return 0;
	entry->hash = hash;
	entry->length = length;
	memcpy(entry->bytes, key, length);
	entry->bytes[length] = 0;
	(*chunk)[index % INTERN_CHUNK] = entry;
	put(slots, hash, index + 1);
	__atomic_store_n(&set->count, index + 1, __ATOMIC_RELEASE);
	return index + 1;
}

uint32_t intern(struct intern *set, const void *key, size_t length)
{
	uint32_t hash = hash_bytes(key, length);
	const struct intern_slots *slots = __atomic_load_n(&set->slots, __ATOMIC_ACQUIRE);
	uint32_t id = slots ? find(set, slots, hash, key, length) : 0;

	if (id)
		return id;
	table_lock();
	id = set->slots ? find(set, set->slots, hash, key, length) : 0;
	if (!id)
		id = add(set, hash, key, length);
	table_unlock();
	return id;
}
