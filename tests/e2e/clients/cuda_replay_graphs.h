/* SPDX-License-Identifier: MIT */
/* The cases of cuda_replay.c in which graphs launch kernels. */
#ifndef CUDA_REPLAY_GRAPHS_H
#define CUDA_REPLAY_GRAPHS_H

#include "cuda_replay_memory.h"

/* The kernels are launched by a graph alone. */
static void captured(void)
{
	CUstream stream = new_stream();
	CUgraphExec exec;
	CUgraph graph;

	CHECK(cuStreamBeginCapture_v2, stream, 0);
	for (int i = 0; i < 5; i++)
		try_launch(get_kernel(load_module(), SHORT), stream, 64);
	CHECK(cuStreamEndCapture, stream, &graph);
	CHECK(cuGraphInstantiateWithFlags, &exec, graph, 0);
	for (unsigned long i = 0; i < launches; i++) {
		ENQUEUE(GRAPH, cuGraphLaunch, exec, stream);
		started[KERNEL] += 5;
	}
}

/* A graph of both kernels, launched by it alone; the graph itself is gone by then. */
static CUgraphExec both_as_graph(CUstream stream)
{
	CUgraphExec exec;
	CUgraph graph;

	CHECK(cuStreamBeginCapture_v2, stream, 0);
	launch_with(stream, TWICE, (void *[]){&values, &(size_t){VALUES}});
	counted(stream);
	started[KERNEL] = 0;
	CHECK(cuStreamEndCapture, stream, &graph);
	CHECK(cuGraphInstantiateWithFlags, &exec, graph, 0);
	CHECK(cuGraphDestroy, graph);
	return exec;
}

static void launch_both(CUgraphExec exec, CUstream stream)
{
	for (unsigned long i = 0; i < launches; i++) {
		errno = 77;
		ENQUEUE(GRAPH, cuGraphLaunch, exec, stream);
		if (errno != 77)
			fail("errno is %d", errno);
		started[KERNEL] += 2;
	}
}

static void graph(void)
{
	CUstream stream = new_stream();

	launch_both(both_as_graph(stream), stream);
}

/* Another argument in the executable graph, by which the kernel takes 1 ms instead of 0.1. */
static void graph_set(void)
{
	static const char name[] = "pwrtrace_load";
	CUstream stream = new_stream();
	uint64_t duration_ns = 100000;
	CUgraphNode node;
	CUgraphExec exec;
	CUgraph graph;
	size_t nodes = 1;

	CHECK(cuStreamBeginCapture_v2, stream, 0);
	launch_with(stream, name, (void *[]){&duration_ns});
	started[KERNEL] = 0;
	CHECK(cuStreamEndCapture, stream, &graph);
	CHECK(cuGraphInstantiateWithFlags, &exec, graph, 0);
	CHECK(cuGraphGetNodes, graph, &node, &nodes);
	duration_ns = 1000000;
	CHECK(cuGraphExecKernelNodeSetParams_v2, exec, node,
		&(CUDA_KERNEL_NODE_PARAMS){.func = get_kernel(load_module(), name),
			.gridDimX = 4,
			.gridDimY = 1,
			.gridDimZ = 1,
			.blockDimX = 256,
			.blockDimY = 1,
			.blockDimZ = 1,
			.kernelParams = (void *[]){&duration_ns}});
	for (unsigned long i = 0; i < launches; i++) {
		ENQUEUE(GRAPH, cuGraphLaunch, exec, stream);
		started[KERNEL]++;
	}
}

static void graph_host(void)
{
	CUstream stream = new_stream();

	host();
	launch_both(both_as_graph(stream), stream);
}

/* A graph of a fill and what work launches. */
static void launch_filling_graph(unsigned value, void (*work)(CUstream))
{
	CUstream stream = new_stream();
	unsigned long kernels;
	CUgraphExec exec;
	CUgraph graph;

	CHECK(cuStreamBeginCapture_v2, stream, 0);
	CHECK(cuMemsetD32Async, words, value, 1, stream);
	work(stream);
	kernels = started[KERNEL];
	started[KERNEL] = 0;
	CHECK(cuStreamEndCapture, stream, &graph);
	CHECK(cuGraphInstantiateWithFlags, &exec, graph, 0);
	for (unsigned long i = 0; i < launches; i++) {
		ENQUEUE(GRAPH, cuGraphLaunch, exec, stream);
		started[KERNEL] += kernels;
		started[FILL]++;
	}
}

/* As refilled, in a graph. */
static void graph_refilled(void)
{
	launch_filling_graph(1000000, grow);
}

static void twice_and_shared(CUstream stream)
{
	twice(stream);
	launch_with(stream, SHARED, (void *[]){&words});
}

/* As shared_out, in a graph. */
static void graph_shared_out(void)
{
	launch_filling_graph(0, twice_and_shared);
}

static void waits_in_graph(void)
{
	CUgraphNode node;

	CHECK(cuGraphAddBatchMemOpNode, &node, NULL, NULL, 0, NULL);
}

#endif
