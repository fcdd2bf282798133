/* SPDX-License-Identifier: MIT */
/*
 * Numbers by ids that only mean something within a process: what is the same for many of millions
 * of executions is made once and found again in a few nanoseconds.
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

/* The number of a key, 0 where it is new: the caller sets another.  Valid until the next call. */
uint32_t *id_map_at(struct id_map *map, const struct id_key *key);

/* Takes a key out.  Returns its number, or 0 where there is none. */
uint32_t id_map_take(struct id_map *map, const struct id_key *key);

#endif
