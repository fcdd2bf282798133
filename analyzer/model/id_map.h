/* SPDX-License-Identifier: MIT */
/*
 * A hash table from ids, which are unique only within a process (and device), to numbers above 0.
 * It is made for millions of look-ups, at a few nanoseconds each.
 */
#ifndef PWRTRACE_ID_MAP_H
#define PWRTRACE_ID_MAP_H

#include <stdint.h>

struct id_key {
	uint64_t id;
	uint32_t process, gpu;
};

struct id_map;

struct id_map *id_map_new(void);
void id_map_free(struct id_map *map);

/* The number of a key; 0 where it is new, and the caller must then set it.  The pointer is valid
 * until the next call. */
uint32_t *id_map_at(struct id_map *map, const struct id_key *key);

/* Removes a key.  Returns its number, or 0 where it was not there. */
uint32_t id_map_take(struct id_map *map, const struct id_key *key);

#endif
