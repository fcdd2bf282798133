/* SPDX-License-Identifier: MIT */
/* cuda_loop [ROUNDS [graph]]: see loop.h; graph: each round is one launch of a graph. */
#include "cuda_client.h"
#include "loop.h"

static CUfunction kernels[CLASSES];
static void *module;
static bool in_graph;
static CUstream stream;
static CUgraphExec round_exec; /* NULL until the first round was captured */

static void make_kernel(size_t kernel, const char *name)
{
	kernels[kernel] = get_kernel(module, name);
}

static void launch_kernel(size_t kernel, unsigned long times)
{
	if (round_exec)
		started[KERNEL] += times;
	else
		launch(kernels[kernel], stream, times);
}

static void capture(void)
{
	stream = new_stream();
	CHECK(cuStreamBeginCapture_v2, stream, 0);
}

static void launch_round(void)
{
	CUgraph graph;

	if (!round_exec) {
		CHECK(cuStreamEndCapture, stream, &graph);
		CHECK(cuGraphInstantiateWithFlags, &round_exec, graph, 0);
		CHECK(cuGraphDestroy, graph);
	}
	ENQUEUE(GRAPH, cuGraphLaunch, round_exec, stream);
}

static void wait_for_all(void)
{
	if (in_graph)
		launch_round();
	CHECK(cuCtxSynchronize);
}

int main(int argc, char **argv)
{
	open_device(0);
	module = load_module();
	new_memory();
	in_graph = argc > 2;
	if (in_graph)
		capture();
	run_loop(argc, argv);
	return 0;
}
