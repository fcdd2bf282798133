/* SPDX-License-Identifier: MIT */
/* The modules (the program and its shared libraries) whose code was found on call stacks. */
#ifndef PWRTRACE_CALLSTACK_MODULES_H
#define PWRTRACE_CALLSTACK_MODULES_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/common/intern.h"

/* Reserves memory, once.  Returns false if there is none. */
bool modules_start(void);

/* Returns the number of a module, 0 if memory is full.  To be called within a callback of
 * dl_iterate_phdr, on any thread.  begin, end: the module's addresses. */
uint16_t modules_note(const struct dl_phdr_info *info, uint64_t begin, uint64_t end);

/* ---- on the collector's thread ---- */

/* Returns whether any module was unloaded since the last call. */
bool modules_gone(void);

/* What identifies a module in the trace. */
struct module_key {
	uint64_t base; /* load address: what is added to the addresses in the file */
	uint64_t size;
	bool driver; /* a GPU API's library, CUPTI or ourselves: between the program's call and us
		      */
	char path_and_build_id[]; /* two strings, each with its NUL */
};

extern struct intern modules_in_trace;

/* Returns the id in modules_in_trace of a module's number; 0 for 0. */
uint32_t modules_id(uint16_t module);

static inline const struct module_key *modules_key(uint32_t id)
{
	return (const struct module_key *)intern_get(&modules_in_trace, id)->bytes;
}

#endif
