/* SPDX-License-Identifier: MIT */
/*
 * Orders of execution and of release that a tracer could get wrong, and what a program is told.
 * Prints "<test>: <what the program saw>" lines, the dependencies that its events make ("after
 * N<-M": the Nth call that awaits an event, in the program's order, waits for the Mth record) and
 * the totals.
 */
#include "cuda_client.h"

static void *module;
static CUfunction add, slow;
static CUdeviceptr memory;

/* ---- events ---- */

static unsigned records, waits;

static unsigned record(CUevent event, CUstream stream)
{
	ENQUEUE(SYNC, cuEventRecord, event, stream);
	return ++records;
}

static void awaited(CUresult error, const char *what, unsigned record_number)
{
	count(SYNC, error, what);
	printf("after %u<-%u\n", ++waits, record_number);
}

/* A wait is for the last record of an event before the wait was called. */
static void events(void)
{
	CUstream a = new_stream(), b = new_stream();
	CUevent event = new_event(), other = new_event();
	unsigned first, second, third;
	float ms;

	launch(slow, a, 1);
	first = record(event, a);
	awaited(cuStreamWaitEvent(b, event, 0), "cuStreamWaitEvent", first);
	launch(add, b, 2);
	second = record(other, b);
	third = record(event, b);
	awaited(cuStreamWaitEvent(a, event, 0), "cuStreamWaitEvent", third);
	printf("events: query before %d\n", cuEventQuery(other));
	awaited(cuEventSynchronize(other), "cuEventSynchronize", second);
	printf("events: query after %d\n", cuEventQuery(other));
	ENQUEUE(SYNC, cuStreamSynchronize, a);
	CHECK(cuEventElapsedTime, &ms, other, event);
	printf("events: elapsed %g ms\n", (double)ms);
	CHECK(cuEventDestroy_v2, event);
	CHECK(cuEventDestroy_v2, other);
	CHECK(cuStreamDestroy_v2, a);
	CHECK(cuStreamDestroy_v2, b);
}

/* ---- errors ---- */

/* Calls that fail start nothing and count for nothing. */
static void errors(void)
{
	CUstream stream = new_stream();
	CUfunction none;

	printf("errors: %d", try_launch(add, stream, 2048));
	printf(" %d", try_launch(NULL, stream, 1));
	printf(" %d", cuModuleGetFunction(&none, module, "missing"));
	printf(" %d", cuEventRecord(NULL, stream));
	printf(" %d", cuEventSynchronize(NULL));
	printf(" %d", cuGraphLaunch(NULL, stream));
	CHECK(cuCtxSetCurrent, NULL);
	printf(" %d", try_launch(add, NULL, 1));
	printf(" %d", cuMemsetD8Async(memory, 0, 1, NULL));
	printf(" %d\n", cuCtxSynchronize());
	open_device(0);
	launch(add, stream, 1);
}

/* A call that succeeds leaves errno alone. */
static void errno_kept(void)
{
	bool kept = true;

	for (int i = 0; i < 1000; i++) {
		errno = 4242;
		launch(add, NULL, 1);
		kept &= errno == 4242;
	}
	errno = 4242;
	ENQUEUE(SYNC, cuCtxSynchronize);
	printf("errno: %s\n", kept && errno == 4242 ? "kept" : "changed");
}

/* ---- objects that are gone before the collector looks at their work ---- */

/* A new module may get the function handles of one that was unloaded; work keeps its kernel's name.
 */
static void modules(void)
{
	static const char *const names[] = {"_Z3oneILm4000EEvv", "_Z3twoILm5000EEvv", "three"};
	CUstream stream = new_stream();
	void *library, *kernel;
	CUfunction before = NULL;
	bool reused = false;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		void *own = load_module();
		CUfunction function = get_kernel(own, names[i]);

		reused |= function == before;
		before = function;
		launch(function, stream, 3);
		CHECK(cuModuleUnload, own);
	}
	printf("modules: handles are %s\n", reused ? "reused" : "new");
	CHECK(cuLibraryLoadData, &library, "", NULL, NULL, 0, NULL, NULL, 0);
	CHECK(cuLibraryGetKernel, &kernel, library, "_Z6kernelILm6000EEvv");
	launch(kernel, stream, 2);
	CHECK(cuLibraryUnload, library);
}

/* Contexts that are destroyed or reset while their streams are full. */
static void contexts(void)
{
	CUcontext own;

	for (int i = 0; i < 2; i++) {
		CUstream stream;

		CHECK(cuCtxCreate_v2, &own, 0, 0);
		stream = new_stream();
		launch(get_kernel(load_module(), LONG), stream, 3);
		fill(new_memory(), stream);
		CHECK(cuCtxDestroy_v2, own);
	}
	open_device(0);
	launch(get_kernel(module, LONG), new_stream(), 3);
	CHECK(cuDevicePrimaryCtxReset_v2, 0);
	open_device(0);
	module = load_module();
	add = get_kernel(module, ADD);
	launch(add, new_stream(), 5);
}

static void unfinished_stream(void)
{
	CUstream stream = new_stream();

	launch(add, stream, 50);
	CHECK(cuStreamDestroy_v2, stream);
}

int main(void)
{
	open_device(0);
	module = load_module();
	add = get_kernel(module, ADD);
	slow = get_kernel(module, LONG);
	memory = new_memory();
	events();
	errors();
	errno_kept();
	modules();
	unfinished_stream();
	contexts();
	ENQUEUE(SYNC, cuCtxSynchronize);
	print_started();
	return 0;
}
