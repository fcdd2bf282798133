/* SPDX-License-Identifier: MIT */
/*
 * Hooks: how calls of the program reach the engine.
 *
 * The tables in preload/api/<api>.def list the entry points.  hook_entry.c makes a trampoline for
 * each hooked row, exported under the function's own name (LD_PRELOAD, the dlsym override and
 * CUDA's own resolver lead there), and for OpenCL a second one for the ICD loader's layer table.  A
 * trampoline jumps to its target: at first to hook_first(), which opens the engine and then stores
 * what the target is from now on, the engine's wrapper or the real function.
 *
 * Only the first path that a call into an API takes (symbols, or the layer) gets wrappers: whatever
 * comes by the other goes straight on, so that no launch is seen twice.
 */
#ifndef PWRTRACE_HOOK_H
#define PWRTRACE_HOOK_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/api/hooks.h"

enum hook_path { HOOK_BY_SYMBOL, HOOK_BY_LAYER, HOOK_PATHS };

struct hook_row {
	const char *name;
	void *trampoline; /* what is exported under that name; NULL where nothing is */
	unsigned index;   /* OpenCL: place in the ICD dispatch table; CUDA: CUPTI's
			     callback id; HIP: the version */
	enum hook_api api;
	enum hook_role role;
	bool returns_status; /* an API status, not a pointer */
};

extern const struct hook_row hook_rows[HOOK_COUNT];

/* The trampolines of the ICD loader's layer table; NULL but for OpenCL's rows. */
extern void *const hook_layer_trampolines[HOOK_COUNT];

/* Where each trampoline jumps to. */
extern void *hook_target[HOOK_PATHS][HOOK_COUNT];

/* Returns what a call of the hook that came by path must jump to now. */
void *hook_first(enum hook_path path, enum hook_id id);

/* Says that the ICD loader will call us by its layer table, and what comes behind us there.
 * Returns false when another loader did so before. */
bool hook_layer_attach(void *const *dispatch, size_t entries);

/* Returns the function behind the hook, or NULL. */
void *hook_next(enum hook_id id);

/* Returns what the program gets where it has found real behind the hook: the trampoline, unless it
 * leads to another real function. */
void *hook_bind(enum hook_id id, void *real);

/* A resolver of api's own answered real: returns what the program shall get in its place, the
 * trampoline of the same function or real itself. */
void *hook_replace(enum hook_api api, void *real);

/* Fills in the real functions of an api that is in use, by a library that is loaded in a
 * namespace of dlmopen's, though no call of a hook has come. */
void hook_attach_library(enum hook_api api, Lmid_t in, const char *library);

#endif
