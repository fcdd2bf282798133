/* SPDX-License-Identifier: MIT */
/*
 * The kernels of executable graphs, as launches of their own, for replays: of each class of kernels
 * in a graph its first node, with a copy of its arguments, since a program may destroy a graph once
 * it has made an executable one of it.
 *
 * Any thread, but, as with the driver, no two at a time for the same executable graph.
 */
#ifndef PWRTRACE_CUDA_NODES_H
#define PWRTRACE_CUDA_NODES_H

#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/replay/replay.h"

#define CUDA_NODE_FILLS 4
#define CUDA_NODE_ATTRIBUTES 2

struct cuda_node {
	CUgraphNode handle; /* in the graph */
	uint32_t kernel;    /* its class */
	CUfunction function;
	CUcontext context;     /* in which it runs; NULL: not told */
	CUlaunchConfig config; /* without stream and attributes, which are: */
	CUlaunchAttribute attributes[CUDA_NODE_ATTRIBUTES];
	void **values, **extra; /* as of cuLaunchKernel; freed with the node */
	const char *why_not;    /* why it cannot be launched alone, a constant string, or NULL */
	CUDA_MEMSET_NODE_PARAMS fills[CUDA_NODE_FILLS]; /* those right before it */
	unsigned fill_count;
	size_t filled_before; /* how many of the graph's small fills come before these */
};

struct cuda_filled {
	CUdeviceptr begin;
	size_t bytes;
};

struct cuda_nodes {
	struct cuda_node *list;
	size_t count, room;
	bool updated;               /* handles are not those of the graph that it was made from */
	struct cuda_filled *filled; /* what the graph's small fills set, in their order */
	size_t filled_count, filled_room;
};

/* Reads the graph from which exec was made or to which it was updated.  Allocates: not for the
 * launch path. */
void cuda_nodes_learn(CUgraphExec exec, CUgraph graph, bool updated);

/* The program has given a node other arguments in exec. */
void cuda_nodes_set(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *values);

/* The program has changed exec in a way that is not followed: its kernels are launched no more. */
void cuda_nodes_changed(CUgraphExec exec);

/* Returns the nodes of exec, NULL if it is not known.  Valid until exec changes. */
const struct cuda_nodes *cuda_nodes_of(CUgraphExec exec);

/* Finds the size of a kernel's argument.  Returns false if there is none at index, or the driver
 * does not tell. */
bool cuda_parameter_at(CUfunction function, size_t index, size_t *bytes);

#endif
