/* SPDX-License-Identifier: MIT */
/* What executable graphs consist of, for runtimes whose graphs are like CUDA's. */
#ifndef PWRTRACE_GRAPH_READING_H
#define PWRTRACE_GRAPH_READING_H

#include "preload/gpu/gpu.h"

enum graph_node_kind {
	GRAPH_NODE_OTHER, /* or one that does not tell what it is */
	GRAPH_NODE_KERNEL,
	GRAPH_NODE_MEMORY,
	GRAPH_NODE_GRAPH, /* one within the graph */
};

struct graph_node {
	enum graph_node_kind kind;
	/* A kernel's. */
	unsigned grid[3], block[3];
	uint32_t class;
	const char *name;
	/* Of a copy or fill: memory_exec's kind, a constant string, and how much. */
	const char *memory_kind;
	uint64_t bytes;
	void *graph;
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
void graph_known(const struct graph_api *api, void *exec, void *graph);

/* The class of an executable graph, 0 where it is not known.  Takes no lock. */
uint32_t graph_of(void *exec);

#endif
