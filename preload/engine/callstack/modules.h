/* SPDX-License-Identifier: MIT */
/* The modules whose code was found on call stacks. */
#ifndef PWRTRACE_CALLSTACK_MODULES_H
#define PWRTRACE_CALLSTACK_MODULES_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/common/intern.h"

/* Makes room; returns false where there is none. */
bool modules_start(void);

/* Within a callback of dl_iterate_phdr, on any thread: the number of a module, 0 where there is no
 * room.  begin, end: its addresses. */
uint16_t modules_note(const struct dl_phdr_info *info, uint64_t begin, uint64_t end);

/* ---- on the collector's thread ---- */

/* Whether any was unloaded since the last call. */
bool modules_gone(void);

/* A definition, as the trace has it; path and build-id, each with its NUL. */
struct module_key {
	uint64_t base; /* what was added to the file's own addresses */
	uint64_t size;
	bool driver; /* between the program's call and us: a GPU API's library, CUPTI, ourselves */
	char path_and_build_id[];
};

extern struct intern modules_in_trace;

/* The id of a module in modules_in_trace. */
uint32_t modules_id(uint16_t module);

static inline const struct module_key *modules_key(uint32_t id)
{
	return (const struct module_key *)intern_get(&modules_in_trace, id)->bytes;
}

#endif
