/* SPDX-License-Identifier: MIT */
/*
 * Origins: what ran, where, and for whom.  Millions of executions have few of them, so that each
 * keeps a number, and what follows from an origin is found once.
 *
 * Origins are counted from 0 in the order in which they came up; their numbers are stable, pointers
 * to them are until the next one is added.
 */
#ifndef PWRTRACE_ORIGIN_H
#define PWRTRACE_ORIGIN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define MODEL_IS_MEMORY 0x80000000u
#define MODEL_IS_GRAPH 0x40000000u

/* Who launched it. */
enum model_replayed {
	MODEL_OF_PROGRAM,
	MODEL_REPLAYED,       /* a replay; it did what it does for the program */
	MODEL_REPLAYED_UNLIKE /* a replay; by the time it took it did something else */
};

struct model_origin {
	uint32_t process;
	uint32_t stream; /* process-local */
	/* A kernel or MODEL_IS_GRAPH | a graph, process-local, or MODEL_IS_MEMORY | index in
	 * model->memories. */
	uint32_t kernel;
	uint32_t layer; /* process-local */
	uint32_t stack; /* process-local; 0: none was taken */
	enum model_replayed replayed;
	/* The device's index in model->gpus, or MODEL_NONE; follows from process and stream once
	 * all has been read. */
	uint32_t gpu;
	/* The end of the call path, a node in model->call_tree (call_tree.h); 0 where it was not
	 * asked for, and for replays. */
	uint32_t call;
};

static inline bool origin_is_kernel(const struct model_origin *origin)
{
	return !(origin->kernel & (MODEL_IS_MEMORY | MODEL_IS_GRAPH));
}

struct origins {
	GArray *list;    /* struct model_origin */
	uint32_t *slots; /* numbers + 1 by hash; 0: free */
	gsize slot_count;
};

struct origins *origins_new(void);
void origins_free(struct origins *origins);

/* The number of the origin that is the same but perhaps for gpu and call; a copy is added where
 * there is none. */
uint32_t origins_number(struct origins *origins, const struct model_origin *origin);

#endif
