/* SPDX-License-Identifier: MIT */
/*
 * Layers around asynchronous launches and around what is captured.  Prints, per layer, how many
 * kernels and copies belong to it ("layer kernels=N copies=N path=A/B", an empty path for none),
 * and the totals.
 */
#include <pthread.h>

#include <pwrtrace/pwrtrace.h>

#include "cuda_client.h"

static CUcontext context;
static CUfunction small, middle, slow;
static CUdeviceptr memory;
static CUstream stream;

static void expect(const char *path, unsigned kernels, unsigned copies)
{
	printf("layer kernels=%u copies=%u path=%s\n", kernels, copies, path);
}

/* The device runs them long after the layer was left. */
static void asynchronous(void)
{
	launch(slow, stream, 1);
	pwrtrace_push("outer");
	launch(small, stream, 2);
	pwrtrace_push("inner");
	launch(small, stream, 3);
	fill(memory, stream);
	pwrtrace_pop();
	launch(small, stream, 4);
	pwrtrace_pop();
	launch(small, stream, 1);
	expect("outer", 6, 0);
	expect("outer/inner", 3, 1);
}

static void capture_layer(const char *name, CUfunction kernel, unsigned kernels)
{
	pwrtrace_push(name);
	for (unsigned i = 0; i < kernels; i++)
		check(try_launch(kernel, stream, 64), "cuLaunchKernel");
	pwrtrace_pop();
}

static CUgraphExec launch_in(const char *layer, CUgraph graph, CUgraphExec exec, unsigned times)
{
	pwrtrace_push(layer);
	if (!exec)
		CHECK(cuGraphInstantiateWithFlags, &exec, graph, 0);
	for (unsigned i = 0; i < times; i++)
		ENQUEUE(GRAPH, cuGraphLaunch, exec, stream);
	pwrtrace_pop();
	return exec;
}

/* A node's layer is the one in which it was captured; without one, that of the launch.  What an
 * update changes has been captured anew. */
static void captured(void)
{
	CUgraph graph, clone, other;
	CUgraphExec exec;

	CHECK(cuStreamBeginCapture_v2, stream, 2);
	capture_layer("block 0", small, 2);
	capture_layer("block 1", small, 3);
	check(try_launch(small, stream, 64), "cuLaunchKernel");
	CHECK(cuStreamEndCapture, stream, &graph);
	exec = launch_in("first", graph, NULL, 1);
	launch_in("replay", graph, exec, 4);
	CHECK(cuGraphClone, &clone, graph);
	launch_in("clone", clone, NULL, 2);
	CHECK(cuStreamBeginCapture_v2, stream, 2);
	capture_layer("block 0", small, 2);
	capture_layer("block 2", middle, 3);
	check(try_launch(small, stream, 64), "cuLaunchKernel");
	CHECK(cuStreamEndCapture, stream, &other);
	CHECK(cuGraphExecUpdate_v2, exec, other, &(char[64]){0});
	launch_in("updated", other, exec, 5);
	started[KERNEL] += 6 * 12;
	expect("block 0", 2 * 12, 0);
	expect("block 1", 3 * 7, 0);
	expect("block 2", 3 * 5, 0);
	expect("first", 1, 0);
	expect("replay", 4, 0);
	expect("clone", 2, 0);
	expect("updated", 5, 0);
}

static void *second_thread(void *unused)
{
	CHECK(cuCtxSetCurrent, context);
	launch(small, CU_STREAM_PER_THREAD, 3);
	pwrtrace_push("second");
	launch(small, CU_STREAM_PER_THREAD, 4);
	pwrtrace_pop();
	return unused;
}

static void two_threads(void)
{
	pthread_t second;

	pwrtrace_push("first thread");
	if (pthread_create(&second, NULL, second_thread, NULL))
		fail("no second thread");
	launch(small, stream, 2);
	pthread_join(second, NULL);
	pwrtrace_pop();
	expect("first thread", 2, 0);
	expect("second", 4, 0);
}

int main(void)
{
	void *module;

	/* Open before the first use of the device. */
	pwrtrace_push("program");
	context = open_device(0);
	module = load_module();
	small = get_kernel(module, SHORT);
	middle = get_kernel(module, ADD);
	slow = get_kernel(module, LONG);
	memory = new_memory();
	stream = new_stream();
	launch(small, stream, 1);
	pwrtrace_pop();
	expect("program", 1, 0);
	asynchronous();
	captured();
	two_threads();
	/* 2 around the layers, 3 of the second thread. */
	expect("", 5, 0);
	CHECK(cuCtxSynchronize);
	print_started();
	return 0;
}
