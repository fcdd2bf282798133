/* SPDX-License-Identifier: MIT */
/* The modules that the process has loaded: on the collector's thread alone. */
#ifndef PWRTRACE_CALLSTACK_MODULES_H
#define PWRTRACE_CALLSTACK_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/intern.h"

/* A definition, as the trace has it; path and build-id, each with its NUL. */
struct module_key {
	uint64_t base; /* what was added to the file's own addresses */
	uint64_t size;
	bool driver; /* between the program's call and us: a GPU API's library, or CUPTI */
	char path_and_build_id[];
};

/* All that were found. */
extern struct intern modules;

/* Looks again if any came or went.  Returns whether one went. */
bool modules_look(void);

/* The id of the module whose code an address is; 0 for none. */
uint32_t modules_find(uint64_t address);

static inline const struct module_key *module_key(uint32_t id)
{
	return (const struct module_key *)intern_get(&modules, id)->bytes;
}

#endif
