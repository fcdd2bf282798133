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
#include <string.h>

#include "preload/common/intern.h"
#include "preload/shim/layer/source.h"

#define LAYER_DEPTH_MAX 128
#define LAYER_NAME_MAX 1024 /* bytes of a name; a longer one ends in an ellipsis */
#define LAYERS_MAX (1 << 17)

/* An enum layer_source, and above its 8 bits the part of it. */
typedef uint32_t layer_owner;

struct layer_frame {
	uint32_t layer; /* id in layer_tree */
	layer_owner owner;
	bool written;      /* its layer_push is in the trace */
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	uint64_t range;    /* layer_start's key, 0: opened by layer_push */
	double payload;    /* NaN: none */
};

/* What exceeds the limits, since it was last read.  Such ranges count as part of the last kept. */
struct layer_lost {
	uint64_t too_deep;
	uint64_t too_many;
};

struct layer_stack {
	unsigned depth;
	unsigned deeper[LAYER_SOURCES]; /* open, but not kept */
	uint64_t ended;                 /* how many ends on other threads it has seen */
	struct layer_frame frames[LAYER_DEPTH_MAX];
};

/* A node's key: its parent's id (0: none) and the texts that layer_text tells apart. */
struct layer_key {
	uint32_t parent;
	char texts[];
};

enum layer_text { LAYER_SOURCE, LAYER_CATEGORY, LAYER_NAME };

static inline const char *layer_text(const struct layer_key *key, enum layer_text which)
{
	const char *text = key->texts;

	for (int i = 0; i < (int)which; i++)
		text += strlen(text) + 1;
	return text;
}

/* The parent of a layer, 0 for none; and the layer of the same name under another parent. */
uint32_t layer_parent(uint32_t layer);
uint32_t layer_moved(uint32_t layer, uint32_t parent);

extern struct intern layer_tree;
extern struct layer_lost layer_lost;

/* The calling thread's stack. */
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

/* Opens a layer that is in the tree. */
void layer_enter(layer_owner owner, uint32_t layer);

/* Closes the owner's last layer; a pop without a push does nothing. */
void layer_pop(layer_owner owner);

/* Opens a layer of the calling thread's that any thread may close, by its source and id. */
void layer_start(const struct layer_range *range, uint64_t id);
void layer_end(enum layer_source source, uint64_t id);

/* Something happened now, so much of it (NaN: no number).  May it be the program's first use of
 * pwrtrace, or is it only of interest once a GPU is used? */
void layer_mark(const char *name, double value, const char *unit, bool may_open);

/* In a forked child: what its parent has written is not in its trace. */
void layer_after_fork(void);

#endif
