/* SPDX-License-Identifier: MIT */
/*
 * What a runtime's handle stands for: a map from pointers to numbers.
 *
 * A lookup takes no lock and allocates nothing.  Handles are reused by their runtimes: setting one
 * again replaces its value, and there is no need to remove any.
 */
#ifndef PWRTRACE_HANDLES_H
#define PWRTRACE_HANDLES_H

#include <stdint.h>

struct handles {
	struct handle_slots *slots;
};

/* Returns the handle's value, or 0 where it was never set. */
uint32_t handles_get(const struct handles *map, const void *handle);

/* Sets it.  Where memory runs out the map stays as it was. */
void handles_set(struct handles *map, const void *handle, uint32_t value);

#endif
