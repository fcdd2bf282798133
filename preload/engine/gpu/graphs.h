/* SPDX-License-Identifier: MIT */
/* What executable graphs consist of, for runtimes whose graphs are like CUDA's. */
#ifndef PWRTRACE_GRAPHS_H
#define PWRTRACE_GRAPHS_H

#include "preload/engine/gpu/definitions.h"

enum graph_node_kind {
	GRAPH_NODE_OTHER, /* or one that does not tell what it is */
	GRAPH_NODE_KERNEL,
	GRAPH_NODE_MEMORY,
	GRAPH_NODE_GRAPH, /* one within the graph */
};

/* kind says which member is there. */
struct graph_node {
	enum graph_node_kind kind;
	union {
		struct {
			unsigned grid[3], block[3];
			uint32_t id; /* of its class */
			const char *name;
		} kernel;
		struct {
			const char *kind; /* memory_exec's, a constant string */
			uint64_t bytes;
		} memory;
		void *graph; /* NULL: not told */
	};
};

/* A runtime's graphs; handles are pointers. */
struct graph_api {
	/* Writes up to *count nodes of graph (nodes NULL: none) and how many there are. */
	bool (*nodes)(void *graph, void **nodes, size_t *count);
	/* Fills in what a node is.  Returns false where its kind is not told at all. */
	bool (*look)(void *node, struct graph_node *seen);
};

/* exec was made of graph, or is now like it; NULL: it was changed in a way that we do not follow.
 * Not for the launch path: reads the whole graph. */
void graph_learn(const struct graph_api *api, void *exec, void *graph);

/* A node came to be, by the call that the thread is in or has just made. */
void graph_node_made(void *node);

/* Nodes of clone came to be where those of original did. */
void graph_cloned(const struct graph_api *api, void *clone, void *original);

/* What the nodes of an executable graph are, in their order, and where they came to be: an id, 0
 * where none of them has a place.  Takes no lock. */
uint32_t graph_nodes_of(void *exec);

/* Which nodes of one launch were told already. */
struct graph_matches {
	uint8_t *matched;
	uint32_t first_unmatched;
};

/* Finds out which node a profiler has told of that does not say so: the first of its kind that was
 * not told yet.  nodes: of graph_nodes_of; kernel: NULL for memory work of this kind.  Returns
 * where it came to be, nowhere where that is not known. */
struct gpu_place graph_next_place(uint32_t nodes, struct graph_matches *matches,
	const struct gpu_kernel *kernel, const char *kind);

/* What is known of where a node came to be goes before where its graph was launched. */
void graph_put_place(struct gpu_work *work, struct gpu_place place);

/* The class of an executable graph, 0 where it is not known.  Takes no lock. */
uint32_t graph_class_of(void *exec);

#endif
