/* SPDX-License-Identifier: MIT */
/*
 * Comes by the CUDA driver without being linked with it, and starts work.
 *
 *	cuda_ways WAY [N]		N rounds (default 100) of three kernels, a write and a fill
 *
 * WAY: name		dlopen("libcuda.so.1"), dlsym on the handle
 *	path		dlopen of the library's path
 *	deepbind	dlopen with RTLD_DEEPBIND
 *	default		dlopen with RTLD_GLOBAL, dlsym on RTLD_DEFAULT
 *	dlmopen		a linker namespace of its own
 *	resolve		cuGetProcAddress, as CUDA 11.8 has it
 *	resolve_v2	cuGetProcAddress_v2, as CUDA 12 has it
 *	per_thread	the same, for per-thread default streams
 */
#include <dlfcn.h>
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

static struct {
#define POINTER(function) __typeof__(function) *function;
	FUNCTIONS(POINTER)
#undef POINTER
} cu;

static void *handle;

/* ---- opening ---- */

static void *open_by_name(void)
{
	return dlopen(LIBRARY, RTLD_NOW);
}

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

static void *open_with_deepbind(void)
{
	return dlopen(LIBRARY, RTLD_NOW | RTLD_DEEPBIND);
}

static void *open_globally(void)
{
	return dlopen(LIBRARY, RTLD_LAZY | RTLD_GLOBAL);
}

static void *open_in_namespace(void)
{
	return dlmopen(LM_ID_NEWLM, LIBRARY, RTLD_NOW);
}

/* ---- looking up ---- */

static void *look_up_in_handle(const char *function)
{
	return dlsym(handle, function);
}

static void *look_up_by_default(const char *function)
{
	return dlsym(RTLD_DEFAULT, function);
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

static const struct way {
	const char *name;
	void *(*open)(void);
	void *(*look_up)(const char *function);
} ways[] = {
	{"name", open_by_name, look_up_in_handle},
	{"path", open_by_path, look_up_in_handle},
	{"deepbind", open_with_deepbind, look_up_in_handle},
	{"default", open_globally, look_up_by_default},
	{"dlmopen", open_in_namespace, look_up_in_handle},
	{"resolve", open_by_name, resolve},
	{"resolve_v2", open_by_name, resolve_v2},
	{"per_thread", open_by_name, resolve_per_thread},
};

static void load(const struct way *way)
{
	handle = way->open();
	if (!handle)
		fail("%s", dlerror());
#define LOOK_UP(function)                                                                          \
	cu.function = (__typeof__(cu.function))way->look_up(#function);                            \
	if (!cu.function)                                                                          \
		fail("%s not found", #function);
	FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

static void work(unsigned long rounds)
{
	static const char bytes[BYTES];
	CUcontext context;
	CUdeviceptr memory;
	CUfunction kernel;
	void *module;
	CUlaunchConfig config = {4, 2, 1, 32, 2, 1, 256, NULL, NULL, 0};

	check(cu.cuInit(0), "cuInit");
	check(cu.cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
	check(cu.cuCtxSetCurrent(context), "cuCtxSetCurrent");
	check(cu.cuModuleLoadData(&module, ""), "cuModuleLoadData");
	check(cu.cuModuleGetFunction(&kernel, module, ADD), "cuModuleGetFunction");
	check(cu.cuMemAlloc_v2(&memory, BYTES), "cuMemAlloc");
	for (unsigned long i = 0; i < rounds; i++) {
		ENQUEUE(KERNEL, cu.cuLaunchKernel, kernel, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
		ENQUEUE(KERNEL, cu.cuLaunchKernelEx, &config, kernel, NULL, NULL);
		ENQUEUE(KERNEL, cu.cuLaunchCooperativeKernel, kernel, 1, 1, 3, 1, 1, 64, 0, NULL,
			NULL);
		ENQUEUE(WRITE, cu.cuMemcpyHtoD_v2, memory, bytes, BYTES);
		ENQUEUE(FILL, cu.cuMemsetD8Async, memory, 0, BYTES, NULL);
	}
	ENQUEUE(SYNC, cu.cuStreamSynchronize, NULL);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < COUNT_OF(ways); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		load(&ways[i]);
		work(argc > 2 ? number(argv[2]) : 100);
		print_started();
		return 0;
	}
	fprintf(stderr, "usage: cuda_ways WAY [N]; see the source\n");
	return 2;
}
