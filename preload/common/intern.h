/* SPDX-License-Identifier: MIT */
/*
 * A set of byte strings, each with an id: 1, 2, 3 ... in order of arrival, for ever.
 *
 * A lookup of what is there takes no lock and allocates nothing: safe on the launch path.  What is
 * new is copied in under a mutex.  Nothing is ever removed, so that a key once returned stays.
 */
#ifndef PWRTRACE_INTERN_H
#define PWRTRACE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define INTERN_CHUNK 1024
#define INTERN_CHUNKS 4096

struct intern_key {
	uint32_t hash;
	uint32_t length;
	char bytes[]; /* a NUL follows */
};

struct intern {
	struct intern_slots *slots;
	uint32_t count;
	uint32_t limit; /* 0: as many as fit */
	struct intern_key **chunks[INTERN_CHUNKS];
};

/* Returns the id of key (length bytes), adding it if need be; 0 when memory or ids run out. */
uint32_t intern(struct intern *set, const void *key, size_t length);

/* How many ids there are; all of 1 .. count can be read. */
uint32_t intern_count(const struct intern *set);

/* The key of an id; aligned to 8 bytes, NUL-terminated, never freed. */
const struct intern_key *intern_get(const struct intern *set, uint32_t id);

#endif
