/* SPDX-License-Identifier: MIT */
/*
 * A map from a runtime's handles (pointers) to numbers, as the ids of definitions.  Any thread.
 *
 * A lookup takes no lock and allocates nothing.  Runtimes reuse handles: setting one again replaces
 * its value, and none is removed alone.  A zeroed struct is an empty map.
 */
#ifndef PWRTRACE_HANDLES_H
#define PWRTRACE_HANDLES_H

#include <stdint.h>

struct handles {
	struct handle_slots *slots;
};

/* Returns the handle's value, or 0 where it was never set. */
uint32_t handles_get(const struct handles *map, const void *handle);

/* Sets the handle's value; NULL is ignored.  Takes a lock and may allocate; if memory runs out, the
 * map stays as it was. */
void handles_set(struct handles *map, const void *handle, uint32_t value);

/* Empties the map, and frees its memory.  No other thread may use it meanwhile. */
void handles_clear(struct handles *map);

#endif
