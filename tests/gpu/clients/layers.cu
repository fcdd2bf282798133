/* SPDX-License-Identifier: MIT */
/*
 * Layers named by pwrtrace.h: kernels and copies belong to the layer of their launch, the nodes of
 * a graph to the layer of their capture, wherever it is launched.
 *
 *	layers [--graphs N]
 */
#include <pwrtrace/pwrtrace.h>

#include "runtime.h"

enum { TIMES = 50, ELEMENTS = 256, CAPTURED = 3 };

static struct counts counts;
static cudaStream_t stream;
static float *data;

static void launch(int times)
{
	for (int i = 0; i < times; i++)
		scale<<<1, ELEMENTS, 0, stream>>>(data, 1);
}

static void replay(long graphs)
{
	cudaGraph_t graph;
	cudaGraphExec_t executable;

	TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	pwrtrace_push("captured");
	launch(CAPTURED);
	pwrtrace_pop();
	TRY(cudaStreamEndCapture(stream, &graph));
	TRY(cudaGraphInstantiate(&executable, graph, 0));
	pwrtrace_push("replay");
	for (long i = 0; i < graphs; i++)
		TRY(cudaGraphLaunch(executable, stream));
	pwrtrace_pop();
	counts.graphs = graphs;
	counts.node_kernels = graphs * CAPTURED;
}

int main(int argc, char **argv)
{
	long graphs = option_number(argc, argv, "--graphs", 100);

	TRY(cudaStreamCreate(&stream));
	TRY(cudaMalloc(&data, ELEMENTS * sizeof(*data)));
	for (int i = 0; i < TIMES; i++) {
		pwrtrace::range outer("outer");

		launch(1);
		{
			pwrtrace::range inner("inner");

			launch(2);
			TRY(cudaMemsetAsync(data, 0, ELEMENTS * sizeof(*data), stream));
		}
	}
	counts.kernels = 3 * TIMES;
	counts.memory = counts.calls = TIMES;
	if (graphs)
		replay(graphs);
	TRY(cudaDeviceSynchronize());
	printf("layer:outer=%d\nlayer:outer/inner=%d\n", TIMES, 3 * TIMES);
	if (graphs)
		printf("layer:captured=%ld\n", counts.node_kernels);
	counts_print(&counts);
	return 0;
}
