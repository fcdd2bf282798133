/* SPDX-License-Identifier: MIT */
/*
 * Captures a graph of each way to launch and launches it 100 times, changes it, and goes on; then
 * unloads a module, whose kernels' addresses come again.  Prints "direct=N", the kernels launched
 * by themselves, and the totals with those of the graphs.
 */
#include "hip_client.h"

static const char symbol[1];
static hipStream_t stream;
static unsigned long direct;

static void launch_module_kernel(hipFunction_t kernel)
{
	CHECK(hipModuleLaunchKernel, kernel, 3, 1, 1, 32, 1, 1, 0, stream, NULL, NULL);
}

static hipGraph_t capture(void *memory, hipFunction_t kernel, unsigned block)
{
	static const char host[BYTES];
	hipGraph_t graph;

	CHECK(hipStreamBeginCapture, stream, 0);
	CHECK(hipLaunchKernel, symbol, (dim3){2, 1, 1}, (dim3){block, 1, 1}, NULL, 0, stream);
	launch_module_kernel(kernel);
	CHECK(hipMemsetAsync, memory, 0, BYTES, stream);
	CHECK(hipMemcpyAsync, memory, host, BYTES, hipMemcpyHostToDevice, stream);
	CHECK(hipStreamEndCapture, stream, &graph);
	return graph;
}

static void launch_graph(hipGraphExec_t exec, unsigned long times)
{
	for (unsigned long i = 0; i < times; i++) {
		ENQUEUE(GRAPH, hipGraphLaunch, exec, stream);
		started[KERNEL] += 2;
		started[FILL]++;
		started[WRITE]++;
	}
}

static void launch_and_unload(const char *name)
{
	hipFunction_t kernel;
	hipModule_t module;

	CHECK(hipModuleLoadData, &module, "");
	CHECK(hipModuleGetFunction, &kernel, module, name);
	for (int i = 0; i < 10; i++) {
		launch_module_kernel(kernel);
		started[KERNEL]++;
		direct++;
	}
	CHECK(hipStreamSynchronize, stream);
	CHECK(hipModuleUnload, module);
}

int main(void)
{
	hipGraph_t graph, other;
	hipGraphExec_t exec;
	void *memory;

	register_kernel(symbol, SHORT);
	stream = new_stream();
	memory = new_memory();
	launch(symbol, stream, 10);
	direct += 10;
	graph = capture(memory, get_kernel(ADD), 64);
	CHECK(hipGraphInstantiate, &exec, graph, NULL, NULL, 0);
	launch_graph(exec, 100);
	other = capture(memory, get_kernel(ADD), 128);
	CHECK(hipGraphExecUpdate, exec, other, NULL, NULL);
	launch_graph(exec, 7);
	CHECK(hipDeviceSynchronize);
	CHECK(hipGraphExecDestroy, exec);
	CHECK(hipGraphDestroy, graph);
	launch_and_unload("_Z3oneILm3000EEvv");
	launch_and_unload("_Z3twoILm4000EEvv");
	printf("direct=%lu\n", direct);
	print_started();
	return 0;
}
