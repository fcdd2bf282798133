/* SPDX-License-Identifier: MIT */
/*
 * Comes by HIP without being linked with it, and starts work.
 *
 *	hip_ways WAY		100 rounds of two kernels and a fill
 *
 * WAY: name		dlopen("libamdhip64.so.6"), dlsym on the handle
 *	default		dlopen with RTLD_GLOBAL, dlsym on RTLD_DEFAULT
 *	deepbind	dlopen with RTLD_DEEPBIND
 *	resolve		hipGetProcAddress, as of version 7.0
 *	old		the same, as of 5.2: what is newer is not there
 *	entry		hipGetDriverEntryPoint
 *	per_thread	hipGetProcAddress_spt
 */
#include <dlfcn.h>

#include "hip_client.h"

#define LIBRARY "libamdhip64.so.6"
#define MANGLED                                                                                    \
	_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j

#define FUNCTIONS(FUNCTION)                                                                        \
	FUNCTION(hipInit)                                                                          \
	FUNCTION(hipModuleLoadData)                                                                \
	FUNCTION(hipModuleGetFunction)                                                             \
	FUNCTION(hipMalloc)                                                                        \
	FUNCTION(hipModuleLaunchKernel)                                                            \
	FUNCTION(hipModuleLaunchCooperativeKernel)                                                 \
	FUNCTION(MANGLED)                                                                          \
	FUNCTION(hipMemsetAsync)                                                                   \
	FUNCTION(hipDeviceSynchronize)

static struct {
#define POINTER(function) __typeof__(function) *function;
	FUNCTIONS(POINTER)
#undef POINTER
} hip;

static void *handle;
static __typeof__(hipGetProcAddress) *resolver;
static int version = 700;

static __typeof__(hipGetDriverEntryPoint) *entry_point;

static void *look_up(const char *function)
{
	void *found = NULL;

	if (entry_point && entry_point(function, &found, 0, NULL) == hipSuccess)
		return found;

	/* It knows the names of C only. */
	if (!resolver || strncmp(function, "_Z", 2) == 0)
		return dlsym(handle, function);
	resolver(function, &found, version, 0, NULL);
	return found;
}

static void launch_both(hipFunction_t kernel)
{
	count(KERNEL, hip.hipModuleLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL),
		"hipModuleLaunchKernel");
	if (hip.hipModuleLaunchCooperativeKernel)
		count(KERNEL,
			hip.hipModuleLaunchCooperativeKernel(
				kernel, 2, 1, 1, 64, 1, 1, 0, NULL, NULL),
			"hipModuleLaunchCooperativeKernel");
	count(KERNEL, hip.MANGLED(kernel, 128, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL, NULL, NULL, 0),
		"hipExtModuleLaunchKernel");
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	bool global = !strcmp(way, "default");
	hipFunction_t kernel;
	hipModule_t module;
	void *memory;

	handle = dlopen(LIBRARY, RTLD_NOW | (global ? RTLD_GLOBAL : 0) |
					 (!strcmp(way, "deepbind") ? RTLD_DEEPBIND : 0));
	if (!handle)
		fail("%s", dlerror());
	if (global)
		handle = RTLD_DEFAULT;
	if (!strcmp(way, "resolve") || !strcmp(way, "old"))
		resolver = (__typeof__(resolver))dlsym(handle, "hipGetProcAddress");
	if (!strcmp(way, "per_thread"))
		resolver = (__typeof__(resolver))dlsym(handle, "hipGetProcAddress_spt");
	if (!strcmp(way, "entry"))
		entry_point = (__typeof__(entry_point))dlsym(handle, "hipGetDriverEntryPoint");
	if (!strcmp(way, "old"))
		version = 502;
#define NAME(function) #function
#define FIND(function) hip.function = (__typeof__(hip.function))look_up(NAME(function));
	FUNCTIONS(FIND)
	check(hip.hipInit(0), "hipInit");
	check(hip.hipModuleLoadData(&module, ""), "hipModuleLoadData");
	check(hip.hipModuleGetFunction(&kernel, module, SHORT), "hipModuleGetFunction");
	check(hip.hipMalloc(&memory, BYTES), "hipMalloc");
	for (int i = 0; i < 100; i++) {
		launch_both(kernel);
		count(FILL, hip.hipMemsetAsync(memory, 0, BYTES, NULL), "hipMemsetAsync");
	}
	count(SYNC, hip.hipDeviceSynchronize(), "hipDeviceSynchronize");
	print_started();
	return 0;
}
