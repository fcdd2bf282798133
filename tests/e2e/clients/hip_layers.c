/* SPDX-License-Identifier: MIT */
/*
 * Layers around what becomes nodes of graphs, of one and the same kernel.  Prints, per layer, how
 * many kernels and copies belong to it ("layer kernels=N copies=N path=A/B", an empty path for
 * none), and the totals.
 */
#include <pwrtrace/pwrtrace.h>

#include "hip_client.h"

static const char symbol[1];
static hipStream_t stream;
static void *memory;

static void expect(const char *path, unsigned kernels, unsigned copies)
{
	printf("layer kernels=%u copies=%u path=%s\n", kernels, copies, path);
}

static void try_launch(unsigned kernels)
{
	while (kernels--)
		CHECK(hipLaunchKernel, symbol, (dim3){2, 1, 1}, (dim3){64, 1, 1}, NULL, 0, stream);
}

static void capture_layer(const char *name, unsigned kernels)
{
	pwrtrace_push(name);
	try_launch(kernels);
	CHECK(hipMemsetAsync, memory, 0, BYTES, stream);
	pwrtrace_pop();
}

static hipGraph_t capture(const char *second)
{
	hipGraph_t graph;

	CHECK(hipStreamBeginCapture, stream, 0);
	capture_layer("block 0", 2);
	capture_layer(second, 3);
	try_launch(1);
	CHECK(hipStreamEndCapture, stream, &graph);
	return graph;
}

/* Node by node: each way to add one. */
static hipGraph_t build(void)
{
	/* As hipGraphNodeParams. */
	const struct {
		int type, reserved[3];
		hipKernelNodeParams kernel;
	} values = {
		.kernel = {.func = (void *)symbol, .gridDim = {2, 1, 1}, .blockDim = {64, 1, 1}}};
	const hipMemsetParams fill = {.elementSize = 1, .width = 64, .height = 2};
	const hipMemcpy3DParms copy = {.extent = {64, 2, 1}, .kind = hipMemcpyHostToDevice};
	const HIP_MEMCPY3D copy_3d = {.WidthInBytes = 64, .Height = 1, .Depth = 1};
	hipGraphNode_t node;
	hipGraph_t graph;

#define ADD_NODE(name, ...) CHECK(name, &node, graph, NULL, 0, __VA_ARGS__)
	CHECK(hipGraphCreate, &graph, 0);
	pwrtrace_push("built");
	ADD_NODE(hipGraphAddKernelNode, &values.kernel);
	ADD_NODE(hipGraphAddNode, (void *)&values);
	ADD_NODE(hipGraphAddMemsetNode, &fill);
	ADD_NODE(hipDrvGraphAddMemsetNode, &fill, NULL);
	ADD_NODE(hipGraphAddMemcpyNode, &copy);
	ADD_NODE(hipDrvGraphAddMemcpyNode, &copy_3d, NULL);
	ADD_NODE(hipGraphAddMemcpyNode1D, memory, symbol, 64, hipMemcpyHostToDevice);
	ADD_NODE(hipGraphAddMemcpyNodeFromSymbol, memory, symbol, 64, 0, hipMemcpyDeviceToHost);
	ADD_NODE(hipGraphAddMemcpyNodeToSymbol, symbol, memory, 64, 0, hipMemcpyHostToDevice);
	pwrtrace_pop();
	ADD_NODE(hipGraphAddKernelNode, &values.kernel);
	return graph;
}

static hipGraphExec_t launch_in(
	const char *layer, hipGraph_t graph, hipGraphExec_t exec, unsigned times)
{
	pwrtrace_push(layer);
	if (!exec)
		CHECK(hipGraphInstantiate, &exec, graph, NULL, NULL, 0);
	for (unsigned i = 0; i < times; i++)
		ENQUEUE(GRAPH, hipGraphLaunch, exec, stream);
	pwrtrace_pop();
	return exec;
}

int main(void)
{
	hipGraph_t graph, clone;
	hipGraphExec_t exec;

	register_kernel(symbol, SHORT);
	stream = new_stream();
	memory = new_memory();
	launch(symbol, stream, 1);
	graph = capture("block 1");
	exec = launch_in("first", graph, NULL, 1);
	launch_in("replay", graph, exec, 4);
	CHECK(hipGraphClone, &clone, graph);
	launch_in("clone", clone, NULL, 2);
	CHECK(hipGraphExecUpdate, exec, capture("block 2"), NULL, NULL);
	launch_in("updated", graph, exec, 5);
	launch_in("explicit", build(), NULL, 3);
	CHECK(hipDeviceSynchronize);
	started[KERNEL] += 12 * 6 + 3 * 3;
	started[FILL] += 12 * 2 + 3 * 2;
	started[WRITE] += 3 * 3;
	started[COPY] += 3;
	started[READ] += 3;
	expect("block 0", 2 * 12, 12);
	expect("block 1", 3 * 7, 7);
	expect("block 2", 3 * 5, 5);
	expect("first", 1, 0);
	expect("replay", 4, 0);
	expect("clone", 2, 0);
	expect("updated", 5, 0);
	expect("built", 3 * 2, 3 * 7);
	expect("explicit", 3, 0);
	expect("", 1, 0);
	print_started();
	return 0;
}
