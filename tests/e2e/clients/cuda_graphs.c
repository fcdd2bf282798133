/* SPDX-License-Identifier: MIT */
/*
 * Captures graphs and launches them.
 *
 *	cuda_graphs [N]		the first one N times (default 1000)
 *
 * Prints "direct=N", the kernels launched by themselves, what the program saw, and the totals with
 * those of the graphs.
 */
#include "cuda_client.h"

static CUstream stream;
static CUfunction small, add;
static CUdeviceptr memory;
static unsigned long direct;

struct graph {
	CUgraph graph;
	CUgraphExec exec;
};

/* Three kernels, a fill and a write. */
static CUgraph capture(CUfunction last)
{
	static const char host[BYTES];
	CUgraph graph;

	CHECK(cuStreamBeginCapture_v2, stream, 0);
	check(try_launch(small, stream, 64), "cuLaunchKernel");
	check(try_launch(add, stream, 128), "cuLaunchKernel");
	CHECK(cuMemsetD8Async, memory, 0, BYTES, stream);
	CHECK(cuMemcpyHtoDAsync_v2, memory, host, BYTES, stream);
	check(try_launch(last, stream, 32), "cuLaunchKernel");
	CHECK(cuStreamEndCapture, stream, &graph);
	return graph;
}

static CUgraphExec instantiate(CUgraph graph)
{
	CUgraphExec exec;

	CHECK(cuGraphInstantiateWithFlags, &exec, graph, 0);
	return exec;
}

static void launch_graph(CUgraphExec exec, unsigned long times)
{
	for (unsigned long i = 0; i < times; i++) {
		ENQUEUE(GRAPH, cuGraphLaunch, exec, stream);
		started[KERNEL] += 3;
		started[FILL]++;
		started[WRITE]++;
	}
}

static void launch_direct(unsigned long times)
{
	launch(add, stream, times);
	direct += times;
}

int main(int argc, char **argv)
{
	unsigned long launches = argc > 1 ? number(argv[1]) : 1000;
	CUgraph graph, clone, other;
	CUgraphExec exec, of_clone;
	CUevent event;
	void *module;
	int query;

	open_device(0);
	module = load_module();
	small = get_kernel(module, SHORT);
	add = get_kernel(module, ADD);
	memory = new_memory();
	stream = new_stream();
	event = new_event();

	launch_direct(10);
	graph = capture(small);
	launch_direct(10);
	exec = instantiate(graph);
	launch_graph(exec, launches);
	CHECK(cuGraphClone, &clone, graph);
	of_clone = instantiate(clone);
	CHECK(cuGraphDestroy, graph);
	launch_graph(of_clone, 2);
	launch_graph(exec, 3);
	other = capture(add);
	CHECK(cuGraphExecUpdate_v2, exec, other, &(char[64]){0});
	launch_graph(exec, 4);
	CHECK(cuCtxSynchronize);

	/* A capture that the program itself spoils. */
	CHECK(cuStreamBeginCapture_v2, stream, 0);
	query = cuEventQuery(event);
	printf("spoilt: query %d, launch %d", query, try_launch(add, stream, 32));
	printf(", end %d\n", cuStreamEndCapture(stream, &graph));
	launch_direct(10);
	CHECK(cuGraphExecDestroy, of_clone);
	CHECK(cuGraphExecDestroy, exec);
	CHECK(cuCtxSynchronize);
	printf("direct=%lu\n", direct);
	print_started();
	return 0;
}
