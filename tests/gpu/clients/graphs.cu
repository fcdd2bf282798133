/* SPDX-License-Identifier: MIT */
/* Graphs: captured over two streams, launched often, updated, cloned, built by hand around a child
 * graph, and with a node's parameters changed. */
#include "runtime.h"

enum { CHAIN = 5, ELEMENTS = 256, OFTEN = 2000, FEW = 10 };

static struct counts counts;
static float *data, *other;
static cudaStream_t stream, side;
static cudaEvent_t fork_event, join_event;

/* What one launch of the captured graph does. */
enum { CAPTURED_KERNELS = CHAIN + 1, CAPTURED_MEMORY = 2 };

static cudaGraph_t capture(float factor)
{
	cudaGraph_t graph;

	TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	TRY(cudaEventRecord(fork_event, stream));
	TRY(cudaStreamWaitEvent(side, fork_event, 0));
	empty<<<1, 32, 0, side>>>();
	for (int i = 0; i < CHAIN; i++)
		scale<<<1, ELEMENTS, 0, stream>>>(data, factor);
	TRY(cudaMemcpyAsync(
		other, data, ELEMENTS * sizeof(*data), cudaMemcpyDeviceToDevice, stream));
	TRY(cudaMemsetAsync(data, 0, ELEMENTS * sizeof(*data), stream));
	TRY(cudaEventRecord(join_event, side));
	TRY(cudaStreamWaitEvent(stream, join_event, 0));
	TRY(cudaStreamEndCapture(stream, &graph));
	return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
	cudaGraphExec_t executable;

	TRY(cudaGraphInstantiate(&executable, graph, 0));
	return executable;
}

static void launch(cudaGraphExec_t executable, long times, long kernels, long memory)
{
	for (long i = 0; i < times; i++)
		TRY(cudaGraphLaunch(executable, stream));
	TRY(cudaStreamSynchronize(stream));
	counts.graphs += times;
	counts.node_kernels += times * kernels;
	counts.node_memory += times * memory;
}

static void update(cudaGraphExec_t executable)
{
	cudaGraphExecUpdateResultInfo info;
	cudaGraph_t changed = capture(3);

	TRY(cudaGraphExecUpdate(executable, changed, &info));
	launch(executable, FEW, CAPTURED_KERNELS, CAPTURED_MEMORY);
	TRY(cudaGraphDestroy(changed));
}

static void clone(cudaGraph_t graph)
{
	cudaGraph_t copy;
	cudaGraphExec_t executable;

	TRY(cudaGraphClone(&copy, graph));
	executable = instantiate(copy);
	launch(executable, FEW, CAPTURED_KERNELS, CAPTURED_MEMORY);
	TRY(cudaGraphExecDestroy(executable));
	TRY(cudaGraphDestroy(copy));
}

/* A kernel, then the other graph as one node; then the kernel with other parameters. */
static void build(cudaGraph_t child)
{
	cudaKernelNodeParams params = {};
	cudaGraphNode_t kernel, inner;
	cudaGraphExec_t executable;
	cudaGraph_t graph;
	float factor = 2;
	void *arguments[] = {&data, &factor};

	params.func = (void *)scale;
	params.gridDim = dim3(1);
	params.blockDim = dim3(ELEMENTS);
	params.kernelParams = arguments;
	TRY(cudaGraphCreate(&graph, 0));
	TRY(cudaGraphAddKernelNode(&kernel, graph, NULL, 0, &params));
	TRY(cudaGraphAddChildGraphNode(&inner, graph, &kernel, 1, child));
	executable = instantiate(graph);
	launch(executable, FEW, CAPTURED_KERNELS + 1, CAPTURED_MEMORY);
	factor = 4;
	TRY(cudaGraphExecKernelNodeSetParams(executable, kernel, &params));
	launch(executable, FEW, CAPTURED_KERNELS + 1, CAPTURED_MEMORY);
	TRY(cudaGraphExecDestroy(executable));
	TRY(cudaGraphDestroy(graph));
}

int main(void)
{
	cudaGraphExec_t executable;
	cudaGraph_t graph;

	TRY(cudaMalloc(&data, ELEMENTS * sizeof(*data)));
	TRY(cudaMalloc(&other, ELEMENTS * sizeof(*other)));
	TRY(cudaMemset(data, 0, ELEMENTS * sizeof(*data)));
	counts.memory = counts.calls = 1;
	TRY(cudaStreamCreate(&stream));
	TRY(cudaStreamCreate(&side));
	TRY(cudaEventCreateWithFlags(&fork_event, cudaEventDisableTiming));
	TRY(cudaEventCreateWithFlags(&join_event, cudaEventDisableTiming));
	scale<<<1, ELEMENTS, 0, stream>>>(data, 1);
	counts.kernels = 1;

	graph = capture(2);
	executable = instantiate(graph);
	launch(executable, OFTEN, CAPTURED_KERNELS, CAPTURED_MEMORY);
	update(executable);
	clone(graph);
	build(graph);
	TRY(cudaGraphExecDestroy(executable));
	TRY(cudaGraphDestroy(graph));
	counts_print(&counts);
	return 0;
}
