/* SPDX-License-Identifier: MIT */
/*
 * The driver's API, found in different ways.  Built as a program that is linked with libcuda, and
 * as a plug-in, which clients/loader.c opens.
 *
 *	driver linked        by the symbols that the linker resolved
 *	driver dlsym         by dlopen and dlsym
 *	driver resolved      by cuGetProcAddress, as the runtime does
 *	driver per-thread    likewise, for per-thread default streams
 *	driver unload        modules loaded and unloaded, so that a handle comes again for
 *	                     another kernel
 *	driver fills         fills of every width
 */
#include <cuda.h>
#include <dlfcn.h>

#include "client.h"

#define LAUNCHES 1000
#define MODULES 50
#define FILL_BYTES 4096

#define PTX(name)                                                                                  \
	".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry " name "()\n{\n\tret;\n}"  \
	"\n"

#define FUNCTIONS(F)                                                                               \
	F(cuInit)                                                                                  \
	F(cuDeviceGet)                                                                             \
	F(cuDevicePrimaryCtxRetain)                                                                \
	F(cuCtxSetCurrent)                                                                         \
	F(cuCtxSynchronize)                                                                        \
	F(cuModuleLoadData)                                                                        \
	F(cuModuleGetFunction)                                                                     \
	F(cuModuleUnload)                                                                          \
	F(cuStreamCreate)                                                                          \
	F(cuStreamSynchronize)                                                                     \
	F(cuMemAlloc)                                                                              \
	F(cuMemcpyHtoD)                                                                            \
	F(cuMemcpyDtoH)                                                                            \
	F(cuMemsetD8)                                                                              \
	F(cuMemsetD8Async)                                                                         \
	F(cuMemsetD16)                                                                             \
	F(cuMemsetD16Async)                                                                        \
	F(cuMemsetD32)                                                                             \
	F(cuMemsetD32Async)                                                                        \
	F(cuMemsetD2D32)                                                                           \
	F(cuMemsetD2D32Async)                                                                      \
	F(cuLaunchKernel)                                                                          \
	F(cuLaunchKernelEx)

/* cuda.h renames functions to their newest version: members are renamed with them. */
static struct {
#define MEMBER(function) __typeof__(&function) function;
	FUNCTIONS(MEMBER)
} cuda;

static struct counts counts;

static void check(CUresult result, const char *call, int line)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "driver.c:%d: %s: error %d\n", line, call, (int)result);
	exit(1);
}

#define TRY(call) check(call, #call, __LINE__)

/* ---- the ways to find the functions ---- */

#define EXPANDED_TEXT(word) #word
#define TEXT(word) EXPANDED_TEXT(word)

static void find_linked(void)
{
#define LINKED(function) cuda.function = function;
	FUNCTIONS(LINKED)
}

static void *looked_up(void *library, const char *name)
{
	void *function = dlsym(library, name);

	if (function)
		return function;
	fprintf(stderr, "%s: %s\n", name, dlerror());
	exit(1);
}

static void find_by_dlsym(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		client_skip(dlerror());
#define LOOKED_UP(function)                                                                        \
	cuda.function = (__typeof__(cuda.function))looked_up(library, TEXT(function));
	FUNCTIONS(LOOKED_UP)
}

/* The versions of functions that CUDA 12.0 had, whatever headers this is compiled with. */
#define AS_OF 12000

static void *resolved(const char *name, cuuint64_t flags)
{
	void *function = NULL;

	TRY(cuGetProcAddress(name, &function, AS_OF, flags, NULL));
	return function;
}

static void find_resolved(cuuint64_t flags)
{
#define RESOLVED(function) cuda.function = (__typeof__(cuda.function))resolved(#function, flags);
	FUNCTIONS(RESOLVED)
}

/* ---- what is done with them ---- */

static void open_device(void)
{
	CUdevice device;
	CUcontext context;

	TRY(cuda.cuInit(0));
	TRY(cuda.cuDeviceGet(&device, 0));
	TRY(cuda.cuDevicePrimaryCtxRetain(&context, device));
	TRY(cuda.cuCtxSetCurrent(context));
}

static CUmodule load(const char *ptx, const char *name, CUfunction *function)
{
	CUmodule module;

	TRY(cuda.cuModuleLoadData(&module, ptx));
	TRY(cuda.cuModuleGetFunction(function, module, name));
	return module;
}

static void launch(CUfunction function, CUstream stream)
{
	TRY(cuda.cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, NULL, NULL));
	counts.kernels++;
}

static void launch_many(void)
{
	CUlaunchConfig config = {1, 1, 1, 32, 1, 1, 0, NULL, NULL, 0};
	char host[FILL_BYTES] = "";
	CUdeviceptr data;
	CUfunction function;
	CUstream stream;

	load(PTX("alpha"), "alpha", &function);
	TRY(cuda.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	TRY(cuda.cuMemAlloc(&data, FILL_BYTES));
	config.hStream = stream;
	for (int i = 0; i < LAUNCHES; i++) {
		launch(function, NULL);
		launch(function, stream);
		TRY(cuda.cuLaunchKernelEx(&config, function, NULL, NULL));
		counts.kernels++;
	}
	TRY(cuda.cuMemcpyHtoD(data, host, FILL_BYTES));
	TRY(cuda.cuMemcpyDtoH(host, data, FILL_BYTES));
	counts.memory = counts.calls = 2;
	TRY(cuda.cuStreamSynchronize(stream));
	kernel_print("alpha", counts.kernels);
}

static void unload(void)
{
	static const char *const names[] = {"alpha", "beta"};
	static const char *const sources[] = {PTX("alpha"), PTX("beta")};
	static const int launches[] = {3, 4};

	for (int i = 0; i < 2 * MODULES; i++) {
		CUfunction function;
		CUmodule module = load(sources[i % 2], names[i % 2], &function);

		for (int launched = 0; launched < launches[i % 2]; launched++)
			launch(function, NULL);
		TRY(cuda.cuCtxSynchronize());
		TRY(cuda.cuModuleUnload(module));
	}
	for (int i = 0; i < 2; i++)
		kernel_print(names[i], (long)MODULES * launches[i]);
}

static void fill(void)
{
	CUdeviceptr data;
	CUstream stream;

	TRY(cuda.cuStreamCreate(&stream, CU_STREAM_DEFAULT));
	TRY(cuda.cuMemAlloc(&data, FILL_BYTES));
	TRY(cuda.cuMemsetD8(data, 1, FILL_BYTES));
	TRY(cuda.cuMemsetD8Async(data, 1, FILL_BYTES, stream));
	TRY(cuda.cuMemsetD16(data, 1, FILL_BYTES / 2));
	TRY(cuda.cuMemsetD16Async(data, 1, FILL_BYTES / 2, stream));
	TRY(cuda.cuMemsetD32(data, 1, FILL_BYTES / 4));
	TRY(cuda.cuMemsetD32Async(data, 1, FILL_BYTES / 4, stream));
	TRY(cuda.cuMemsetD2D32(data, 512, 1, 64, 4));
	TRY(cuda.cuMemsetD2D32Async(data, 512, 1, 64, 4, stream));
	counts.memory = counts.calls = 8;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "linked";

	if (strcmp(way, "dlsym") == 0)
		find_by_dlsym();
	else if (strcmp(way, "resolved") == 0)
		find_resolved(CU_GET_PROC_ADDRESS_DEFAULT);
	else if (strcmp(way, "per-thread") == 0)
		find_resolved(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
	else
		find_linked();
	open_device();
	if (strcmp(way, "unload") == 0)
		unload();
	else if (strcmp(way, "fills") == 0)
		fill();
	else
		launch_many();
	TRY(cuda.cuCtxSynchronize());
	counts_print(&counts);
	/* Opened by dlmopen, we have a libc of our own, whose handlers only this runs. */
	exit(0);
}
