/* SPDX-License-Identifier: MIT */
/*
 * The seam between the shim, which keeps the layers that each thread has open
 * (preload/shim/layer/stack.h), and the engine, which writes those in which something is launched.
 */
#ifndef PWRTRACE_LAYER_H
#define PWRTRACE_LAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum layer_source {
#define SOURCE(word, ...) LAYER_##word,
#include "preload/common/layer_sources.def"
#undef SOURCE
	LAYER_SOURCES
};

#define LAYER_DEPTH_MAX 128
#define LAYER_NAME_MAX 1024 /* bytes of a name; a longer one ends in an ellipsis */

/* An enum layer_source, and above its 8 bits the part of it. */
typedef uint32_t layer_owner;

struct layer_frame {
	uint32_t layer; /* id in layer_tree */
	layer_owner owner;
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	uint64_t range;    /* not 0: any thread may close it, by this key */
	double payload;    /* NaN: none */
};

/* What exceeds the limits, since it was last read.  Such ranges count as part of the last kept. */
struct layer_lost {
	uint64_t too_deep;
	uint64_t too_many;
};

struct layer_stack {
	unsigned depth;
	unsigned written; /* the layer_push of so many, from the outermost on, is in the trace */
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

#endif
