/* SPDX-License-Identifier: MIT */
/*
 * Loads the CUDA driver at run time, in one of several ways, and starts work.
 *
 *	cuda_ways ROUTE [N]	N rounds (default 100) of three kernels, a write and a fill
 *
 * ROUTE: those of routes.h, and
 *	path		dlopen of the library's path
 *	resolve		cuGetProcAddress, as CUDA 11.8 has it
 *	resolve_v2	cuGetProcAddress_v2, as CUDA 12 has it
 *	per_thread	the same, for per-thread default streams
 */
#include <limits.h>
#include <unistd.h>

#include "cuda_client.h"

#define LIBRARY "libcuda.so.1"

#define FUNCTIONS(FUNCTION)                                                                        \
	FUNCTION(cuInit)                                                                           \
	FUNCTION(cuDevicePrimaryCtxRetain)                                                         \
	FUNCTION(cuCtxSetCurrent)                                                                  \
	FUNCTION(cuModuleLoadData)                                                                 \
	FUNCTION(cuModuleGetFunction)                                                              \
	FUNCTION(cuMemAlloc_v2)                                                                    \
	FUNCTION(cuLaunchKernel)                                                                   \
	FUNCTION(cuLaunchKernelEx)                                                                 \
	FUNCTION(cuLaunchCooperativeKernel)                                                        \
	FUNCTION(cuMemcpyHtoD_v2)                                                                  \
	FUNCTION(cuMemsetD8Async)                                                                  \
	FUNCTION(cuStreamSynchronize)

#include "routes.h"

/* Beside this program's folder. */
static void *open_by_path(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 64);

	path[length > 0 ? length : 0] = 0;
	*strrchr(path, '/') = 0;
	strcpy(strrchr(path, '/'), "/simgpu/" LIBRARY);
	return dlopen(path, RTLD_NOW);
}

/* The resolver wants names without their versions. */
static const char *base_name(const char *function)
{
	static char name[64];
	char *version;

	snprintf(name, sizeof(name), "%s", function);
	version = strstr(name, "_v2");
	if (version)
		*version = 0;
	return name;
}

static void *resolve(const char *function)
{
	__typeof__(cuGetProcAddress) *resolver = dlsym(handle, "cuGetProcAddress");
	void *found = NULL;

	check(resolver(base_name(function), &found, 11080, 0), function);
	return found;
}

static void *resolve_with_status(const char *function, uint64_t flags)
{
	__typeof__(cuGetProcAddress_v2) *resolver = dlsym(handle, "cuGetProcAddress_v2");
	void *found = NULL;
	int status = -1;

	check(resolver(base_name(function), &found, 12000, flags, &status), function);
	return status ? NULL : found;
}

static void *resolve_v2(const char *function)
{
	return resolve_with_status(function, 0);
}

static void *resolve_per_thread(const char *function)
{
	return resolve_with_status(function, 2);
}

static const struct route routes[] = {
	{"name", open_by_name, look_up_in_handle, false},
	{"path", open_by_path, look_up_in_handle, false},
	{"deepbind", open_with_deepbind, look_up_in_handle, false},
	{"default", open_globally, look_up_by_default, false},
	{"dlmopen", open_in_namespace, look_up_in_handle, false},
	{"resolve", open_by_name, resolve, false},
	{"resolve_v2", open_by_name, resolve_v2, false},
	{"per_thread", open_by_name, resolve_per_thread, false},
};

static void work(unsigned long rounds)
{
	static const char bytes[BYTES];
	CUcontext context;
	CUdeviceptr memory;
	CUfunction kernel;
	void *module;
	CUlaunchConfig config = {4, 2, 1, 32, 2, 1, 256, NULL, NULL, 0};

	check(lib.cuInit(0), "cuInit");
	check(lib.cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
	check(lib.cuCtxSetCurrent(context), "cuCtxSetCurrent");
	check(lib.cuModuleLoadData(&module, ""), "cuModuleLoadData");
	check(lib.cuModuleGetFunction(&kernel, module, ADD), "cuModuleGetFunction");
	check(lib.cuMemAlloc_v2(&memory, BYTES), "cuMemAlloc");
	for (unsigned long i = 0; i < rounds; i++) {
		ENQUEUE(KERNEL, lib.cuLaunchKernel, kernel, 8, 1, 1, 128, 1, 1, 0, NULL, NULL,
			NULL);
		ENQUEUE(KERNEL, lib.cuLaunchKernelEx, &config, kernel, NULL, NULL);
		ENQUEUE(KERNEL, lib.cuLaunchCooperativeKernel, kernel, 1, 1, 3, 1, 1, 64, 0, NULL,
			NULL);
		ENQUEUE(WRITE, lib.cuMemcpyHtoD_v2, memory, bytes, BYTES);
		ENQUEUE(FILL, lib.cuMemsetD8Async, memory, 0, BYTES, NULL);
	}
	ENQUEUE(SYNC, lib.cuStreamSynchronize, NULL);
}

int main(int argc, char **argv)
{
	return run_route(argc, argv, routes, COUNT_OF(routes), work);
}
