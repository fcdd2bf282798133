/* SPDX-License-Identifier: MIT */
/*
 * hip_replay [CASE] [LAUNCHES]: see replays.h.  Kernels are the program's own, whose code a test
 * adds, but for those of the modules in the files REPLAY_IMAGE and REPLAY_OTHER_IMAGE.
 */
#include <pthread.h>

#include "hip_replay_memory.h"

#define UNTOLD "_Z6untoldPm"
#define PRINTS "_Z6printsPm"
#define MANY "_Z4manyPm"
#define SLOW "_Z4slowILm1100000000EEvv"

static const dim3 grid = {4, 1, 1}, block = {256, 1, 1};

/* The host function by which the program launches a kernel; it is registered at its first use. */
static const void *symbol_of(const char *name)
{
	static const char *names[16];
	static char symbols[COUNT_OF(names)];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (!names[i])
			register_kernel(&symbols[i], names[i] = name);
		if (strcmp(names[i], name) == 0)
			return &symbols[i];
	}
	fail("too many kernels");
}

static void launch_with(hipStream_t stream, const char *name, void **arguments)
{
	ENQUEUE(KERNEL, hipLaunchKernel, symbol_of(name), grid, block, arguments, 0, stream);
}

static void *allocate(size_t bytes)
{
	void *memory;

	CHECK(hipMalloc, &memory, bytes);
	return memory;
}

static void write_to(void *memory, const void *from, size_t bytes)
{
	ENQUEUE(WRITE, hipMemcpy, memory, from, bytes, hipMemcpyHostToDevice);
}

static void read_from(void *memory, void *to, size_t bytes)
{
	ENQUEUE(READ, hipMemcpy, to, memory, bytes, hipMemcpyDeviceToHost);
}

/* ---- cases: what the program does beside ---- */

static void waits_for_host(void)
{
	CHECK(hipStreamWaitValue32, NULL, words, 0, 0, UINT32_MAX);
}

/* Once: what other kernels wait for may be on other devices. */
static void collective(void)
{
	launch_with(NULL, "_Z17ncclDevKernel_Addv", NULL);
}

static void together(void)
{
	hipLaunchParams each = {(void *)symbol_of(SHORT), {1, 1, 1}, {64, 1, 1}, NULL, 0, NULL};

	ENQUEUE(KERNEL, hipLaunchCooperativeKernelMultiDevice, &each, 1, 0);
}

static void *launch_many(void *unused)
{
	launch(symbol_of(SHORT), new_stream(), 1000);
	return unused;
}

static void threads(void)
{
	pthread_t thread[4];

	symbol_of(SHORT);
	for (size_t i = 0; i < COUNT_OF(thread); i++)
		if (pthread_create(&thread[i], NULL, launch_many, NULL))
			fail("no thread");
	for (size_t i = 0; i < COUNT_OF(thread); i++)
		pthread_join(thread[i], NULL);
}

/* ---- cases: other kernels, or the same by other calls ---- */

static void per_thread(void)
{
	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, hipLaunchKernel_spt, symbol_of(COUNTED), grid, block,
			(void *[]){&words}, 0, NULL);
}

static void grows(void)
{
	uint64_t first_ns = 1000000;

	write_to(words, &first_ns, sizeof(first_ns));
	for (int i = 0; i < 3; i++)
		grow(NULL);
}

/* The kernel takes longer with each launch, unless the program fills its word anew, as it does
 * here. */
static void refilled(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		ENQUEUE(FILL, hipMemsetD32Async, words, 1000000, 1, NULL);
		grow(NULL);
	}
}

static void launch_of_module(hipFunction_t function, void *memory)
{
	size_t bytes = sizeof(memory);
	void *buffer[] = {(void *)1, &memory, (void *)2, &bytes, (void *)3};

	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, hipModuleLaunchKernel, function, 4, 1, 1, 256, 1, 1, 0, NULL, NULL,
			buffer);
}

static hipModule_t load(const char *image)
{
	hipModule_t module;

	CHECK(hipModuleLoad, &module, getenv(image));
	return module;
}

static hipFunction_t function_of(hipModule_t module, const char *name)
{
	hipFunction_t function;

	CHECK(hipModuleGetFunction, &function, module, name);
	return function;
}

static void hidden(void)
{
	launch_of_module(function_of(load("REPLAY_IMAGE"), HIDDEN), words);
}

/* Its arguments are in a buffer, and one of them is the host's memory. */
static void host_in_buffer(void)
{
	launch_of_module(function_of(load("REPLAY_IMAGE"), HIDDEN), new_host_memory(BYTES));
}

/* The variables that were saved are gone when another kernel is launched. */
static void unloaded(void)
{
	hipModule_t module = load("REPLAY_IMAGE");

	launch_of_module(function_of(module, HIDDEN), words);
	CHECK(hipModuleUnload, module);
	launch_of_module(function_of(load("REPLAY_OTHER_IMAGE"), COUNTED), words);
}

static void reset(void)
{
	CHECK(hipDeviceReset);
	launch_of_module(function_of(load("REPLAY_IMAGE"), HIDDEN), words);
}

static void launch_alone(const char *name)
{
	for (unsigned long i = 0; i < launches; i++)
		launch_with(NULL, name, (void *[]){&words});
}

static void untold(void)
{
	launch_alone(UNTOLD);
}

static void prints(void)
{
	launch_alone(PRINTS);
}

static void many_arguments(void)
{
	void *arguments[40];

	for (size_t i = 0; i < COUNT_OF(arguments); i++)
		arguments[i] = &words;
	for (unsigned long i = 0; i < launches; i++)
		launch_with(NULL, MANY, arguments);
}

static void symbol_with_variable(void)
{
	launch_alone(HIDDEN);
}

static void slow(void)
{
	for (int i = 0; i < 3; i++)
		launch_with(NULL, SLOW, NULL);
}

static void cooperative(void)
{
	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, hipLaunchCooperativeKernel, symbol_of(SHORT), grid, block, NULL, 0,
			NULL);
}

static void launch_beside(hipEvent_t event, int flags)
{
	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, hipExtLaunchKernel, symbol_of(SHORT), grid, block, NULL, 0, NULL,
			NULL, event, flags);
}

static void event(void)
{
	launch_beside(new_event(), 0);
}

static void unordered(void)
{
	launch_beside(NULL, 1);
}

static void attributes(void)
{
	const hipLaunchConfig_t config = {{4, 1, 1}, {256, 1, 1}, 0, NULL, "", 1};

	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, hipLaunchKernelExC, &config, symbol_of(SHORT), NULL);
}

static void elsewhere(void)
{
	hipStream_t stream;

	CHECK(hipSetDevice, 1);
	stream = new_stream();
	CHECK(hipSetDevice, 0);
	launch(symbol_of(SHORT), stream, launches);
}

/* The kernels are launched by a graph alone. */
static void captured(void)
{
	hipStream_t stream = new_stream();
	hipGraphExec_t exec;
	hipGraph_t graph;

	CHECK(hipStreamBeginCapture, stream, 0);
	for (int i = 0; i < 5; i++)
		check(hipLaunchKernel(symbol_of(SHORT), grid, block, NULL, 0, stream), "a launch");
	CHECK(hipStreamEndCapture, stream, &graph);
	CHECK(hipGraphInstantiateWithFlags, &exec, graph, 0);
	for (unsigned long i = 0; i < launches; i++) {
		ENQUEUE(GRAPH, hipGraphLaunch, exec, stream);
		started[KERNEL] += 5;
	}
}

/* ---- errors ---- */

/* Errors are not asked for until the end; from HIP 7 on, hipGetLastError then returns them. */
static void failure(void)
{
	if (hipSetDevice(1000) == hipSuccess)
		fail("there are too many devices");
}

/* The last error after each launch. */
static void last_errors(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		twice(NULL);
		printf("last error: %d\n", hipGetLastError());
	}
}

static const struct test tests[] = {
	{"plain", NULL, false},
	{"managed", managed, false},
	{"peer", peer, false},
	{"own_access", own_access, false},
	{"other_access", other_access, false},
	{"shared", shared, false},
	{"surface", surface, false},
	{"host", host, false},
	{"registered", registered, false},
	{"unreached", unreached, false},
	{"large", large, false},
	{"large_memory", large_memory, false},
	{"freed", freed, false},
	{"allocations", allocations, false},
	{"host_allocations", host_allocations, false},
	{"waits_for_host", waits_for_host, false},
	{"collective", collective, false},
	{"together", together, false},
	{"threads", threads, false},
	{"failure", failure, false},
	{"last_errors", last_errors, true},
	{"per_thread", per_thread, true},
	{"grow", grows, true},
	{"refilled", refilled, true},
	{"shared_out", shared_out, true},
	{"hidden", hidden, true},
	{"host_in_buffer", host_in_buffer, true},
	{"unloaded", unloaded, true},
	{"reset", reset, true},
	{"untold", untold, true},
	{"prints", prints, true},
	{"many_arguments", many_arguments, true},
	{"symbol_with_variable", symbol_with_variable, true},
	{"slow", slow, true},
	{"cooperative", cooperative, true},
	{"event", event, true},
	{"unordered", unordered, true},
	{"attributes", attributes, true},
	{"elsewhere", elsewhere, true},
	{"captured", captured, true},
};

int main(int argc, char **argv)
{
	int status = run_test(tests, COUNT_OF(tests), argc, argv);

	printf("last error: %d\n", hipPeekAtLastError());
	return status;
}
