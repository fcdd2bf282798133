/* SPDX-License-Identifier: MIT */
/*
 * The layers that each thread has open.
 *
 * A layer is a node of one tree per process: a name under a parent.  Pushing finds or makes the
 * node; nothing is written before a launch happens inside (the engine does that), so that an empty
 * range costs tens of nanoseconds and no byte of trace.  Lives in the shim, because a program
 * opens layers before it uses its GPU.
 *
 * Every frame has an owner: a source of layers, or a part of one that has a stack of its own (a
 * domain of NVTX).  An owner closes only what is its own, whatever others have open above it: these
 * then move up to the next parent.
 */
#ifndef PWRTRACE_LAYER_STACK_H
#define PWRTRACE_LAYER_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/common/intern.h"
#include "preload/common/layer.h"
#include "preload/shim/base/layer_source.h"

#define LAYERS_MAX (1 << 17)

/* The parent of a layer, 0 for none; and the layer of the same name under another parent. */
uint32_t layer_parent(uint32_t layer);
uint32_t layer_moved(uint32_t layer, uint32_t parent);

extern struct intern layer_tree;
extern struct layer_lost layer_lost;

/* How many ranges were ended by other threads than those that had begun them. */
extern uint64_t layer_ended_elsewhere;

/* Returns the calling thread's stack, without the ranges that were ended by then. */
struct layer_stack *layer_stack(void);

/* A layer to open.  Strings are copied; name may be NULL or "": then it is "(unnamed)". */
struct layer_range {
	layer_owner owner;
	const char *domain; /* "" or what stands before the name, with a colon */
	const char *category;
	const char *name;
	double payload; /* NaN: none */
};

/* Returns the layer's id, 0 where there is none. */
uint32_t layer_push_range(const struct layer_range *range);
uint32_t layer_push(layer_owner owner, const char *name);

/* Opens a layer that is in the tree.  Returns the innermost one then. */
uint32_t layer_enter(layer_owner owner, uint32_t layer);

/* Closes the owner's last layer; a pop without a push does nothing.  Returns the innermost one
 * then, 0 where there is none. */
uint32_t layer_pop(layer_owner owner);

/* Opens a layer of the calling thread's that any thread may close, by its source and id. */
void layer_start(const struct layer_range *range, uint64_t id);
void layer_end(enum layer_source source, uint64_t id);

/* Something happened now, so much of it (NaN: no number).  May it be the program's first use of
 * pwrtrace, or is it only of interest once a GPU is used? */
void layer_mark(const char *name, double value, const char *unit, bool may_open);

/* In a forked child: what its parent has written is not in its trace. */
void layer_after_fork(void);

#endif
