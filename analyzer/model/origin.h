/* SPDX-License-Identifier: MIT */
/*
 * The origin of an execution: what executions of one kernel in one stream, layer and call stack of
 * a process have in common.  Millions of executions have few origins: each keeps only the number of
 * its origin, and what depends on the origin alone is computed once.
 *
 * Origins are numbered from 0 in the order in which they are added.  Numbers are stable; pointers
 * to origins are valid until the next one is added.
 */
#ifndef PWRTRACE_ORIGIN_H
#define PWRTRACE_ORIGIN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define MODEL_IS_MEMORY 0x80000000u
#define MODEL_IS_GRAPH 0x40000000u

/* Whether the program or a replay (replays.h) launched it. */
enum model_replayed {
	MODEL_OF_PROGRAM,
	MODEL_REPLAYED,        /* a replay that took as long as the program's own launches */
	MODEL_REPLAYED_COLD,   /* the same, of a replay that found a cold cache */
	MODEL_REPLAYED_MIXED,  /* the same, of one that found it cold at times */
	MODEL_REPLAYED_UNLIKE, /* a replay that did not, and so must have done something else */
};

struct model_origin {
	uint32_t process;
	uint32_t stream; /* process-local */
	/* The id of a kernel; MODEL_IS_GRAPH | the id of a graph (both process-local); or
	 * MODEL_IS_MEMORY | an index in model->memories. */
	uint32_t kernel;
	uint32_t layer; /* process-local */
	uint32_t stack; /* process-local; 0: none was taken */
	enum model_replayed replayed;
	/* Which size its work has, among those that executions of the kernel differ by: 0 is that
	 * of the shortest ones (load/find_sizes.h). */
	uint32_t size;
	/* Which part of the kernel's executions it is that an analysis told apart from the others
	 * (load_options.divide), or which replay that is unlike the program's; 0: neither. */
	uint32_t part;
	/* Which collectives launched it, by kind and size: a number of
	 * model->collectives->exchanges, from 1 (collective.h); 0: none. */
	uint32_t collective;
	/* The device's index in model->gpus, or MODEL_NONE; set from process and stream when all
	 * events have been read. */
	uint32_t gpu;
	/* The end of the call path, a node of model->call_tree (call_tree.h); 0 for replays, and
	 * where paths were not asked for. */
	uint32_t call;
};

/* Whether it says nothing of what the program's own launches draw. */
static inline bool origin_is_unlike(const struct model_origin *origin)
{
	return origin->replayed == MODEL_REPLAYED_UNLIKE;
}

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

/* The number of an origin, compared without gpu and call; a copy is added where it is new. */
uint32_t origins_number(struct origins *origins, const struct model_origin *origin);

#endif
