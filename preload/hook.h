/* SPDX-License-Identifier: MIT */
/*
 * Hooks: how calls of the program reach the engine.
 *
 * The tables in preload/gpu/<api>.def list the entry points.  hook_entry.c makes two trampolines
 * for each hooked row: one exported under the function's own name (LD_PRELOAD and the dlsym
 * override lead there) and one for the ICD loader's layer table.  A trampoline jumps to its
 * target: at first to hook_first(), which opens the engine and then stores what the target is from
 * now on, the engine's wrapper or the real function.
 *
 * Only the first path that a call takes (symbols, or the layer) gets wrappers: whatever comes by
 * the other goes straight on, so that no launch is seen twice.
 */
#ifndef PWRTRACE_HOOK_H
#define PWRTRACE_HOOK_H

#include <stdbool.h>
#include <stddef.h>

enum hook_id {
#define HOOK(index, ret, name, params, args, opens) HOOK_##name,
#define PLAIN(index, ret, name, params) HOOK_##name,
#include "preload/gpu/opencl.def"
#undef HOOK
	HOOK_COUNT
};

enum hook_path { HOOK_BY_SYMBOL, HOOK_BY_LAYER, HOOK_PATHS };

struct hook_row {
	const char *name;
	void *trampoline[HOOK_PATHS]; /* NULL for PLAIN rows */
	unsigned dispatch_index;      /* place in the ICD dispatch table */
	bool opens;                   /* the first call opens the engine */
	bool returns_status;          /* an API status, not a pointer */
};

extern const struct hook_row hook_rows[HOOK_COUNT];

/* Where each trampoline jumps to. */
extern void *hook_target[HOOK_PATHS][HOOK_COUNT];

/* Returns what a call of the hook that came by path must jump to now. */
void *hook_first(enum hook_path path, enum hook_id id);

/* Says that the ICD loader will call us by its layer table, and what comes behind us there.
 * Returns false when another loader did so before. */
bool hook_layer_attach(void *const *dispatch, size_t entries);

/* The dlsym that we override, found without help of libc. */
void *hook_real_dlsym(void *handle, const char *name);

#endif
