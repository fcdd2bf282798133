/* SPDX-License-Identifier: MIT */
/* What executable graphs consist of, for runtimes whose graphs are like CUDA's.  Any thread, unless
 * a function says otherwise. */
#ifndef PWRTRACE_GRAPHS_H
#define PWRTRACE_GRAPHS_H

#include "preload/engine/gpu/definitions.h"

enum graph_node_kind {
	GRAPH_NODE_OTHER, /* or unknown */
	GRAPH_NODE_KERNEL,
	GRAPH_NODE_MEMORY,
	GRAPH_NODE_GRAPH, /* a child graph */
};

/* A node; kind says which member is valid. */
struct graph_node {
	enum graph_node_kind kind;
	union {
		struct {
			unsigned grid[3], block[3];
			uint32_t id; /* of its class */
			const char *name;
		} kernel;
		struct {
			const char *kind; /* as in memory_exec, a constant string */
			uint64_t bytes;
		} memory;
		void *graph; /* NULL: unknown */
	};
};

/* The graph functions of a runtime; handles are pointers. */
struct graph_api {
	/* Writes up to *count nodes of graph (nodes NULL: none), and to *count how many there are.
	 * Returns whether it succeeded. */
	bool (*nodes)(void *graph, void **nodes, size_t *count);
	/* Fills in what a node is.  Returns false if its kind cannot be read. */
	bool (*look)(void *node, struct graph_node *seen);
};

/* Reads the whole graph from which exec was made, or to which it was updated; NULL: exec was
 * changed in an unknown way.  Allocates: not for the launch path. */
void graph_learn(const struct graph_api *api, void *exec, void *graph);

/* Notes the current layer and call stack as the place where a node was made. */
void graph_node_made(void *node);

/* Gives the nodes of a clone the places of the original's nodes. */
void graph_cloned(const struct graph_api *api, void *clone, void *original);

/* Returns an id for the list of an executable graph's nodes with their places, for
 * graph_next_place; 0 if no node has a place.  Takes no lock. */
uint32_t graph_nodes_of(void *exec);

/* Which nodes of one launch of a graph were matched with a profiler's records.  Starts zeroed. */
struct graph_matches {
	uint8_t *matched; /* by node; for free() */
	uint32_t first_unmatched;
};

/* Finds the node of a profiler's record that does not name its node: the first of its kind that was
 * not matched yet.  nodes: of graph_nodes_of; kernel: NULL for memory work of this kind.  Returns
 * the place where the node was made, zeros if unknown.  On the collector's thread. */
struct gpu_place graph_next_place(uint32_t nodes, struct graph_matches *matches,
	const struct gpu_kernel *kernel, const char *kind);

/* Replaces the place of the graph's launch, in the work of a node, by what is known of the node's
 * own. */
void graph_put_place(struct gpu_work *work, struct gpu_place place);

/* Returns the class of an executable graph, 0 if unknown.  Takes no lock. */
uint32_t graph_class_of(void *exec);

#endif
