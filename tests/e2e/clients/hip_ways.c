/* SPDX-License-Identifier: MIT */
/*
 * Loads HIP at run time, in one of several ways, and starts work.
 *
 *	hip_ways ROUTE [N]	N rounds (default 100) of three kernels and a fill
 *
 * ROUTE: those of routes.h, and
 *	resolve		hipGetProcAddress, as of version 7.0
 *	old		the same, as of 5.2: what is newer is not there
 *	entry		hipGetDriverEntryPoint
 *	per_thread	hipGetProcAddress_spt
 */
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

#include "routes.h"

/* It knows the names of C only. */
static void *resolve_by(const char *resolver_name, int version, const char *function)
{
	__typeof__(hipGetProcAddress) *resolver = dlsym(handle, resolver_name);
	void *found = NULL;

	if (strncmp(function, "_Z", 2) == 0)
		return dlsym(handle, function);
	resolver(function, &found, version, 0, NULL);
	return found;
}

static void *resolve(const char *function)
{
	return resolve_by("hipGetProcAddress", 700, function);
}

static void *resolve_old(const char *function)
{
	return resolve_by("hipGetProcAddress", 502, function);
}

static void *resolve_per_thread(const char *function)
{
	return resolve_by("hipGetProcAddress_spt", 700, function);
}

static void *look_up_entry(const char *function)
{
	__typeof__(hipGetDriverEntryPoint) *entry_point = dlsym(handle, "hipGetDriverEntryPoint");
	void *found = NULL;

	return entry_point(function, &found, 0, NULL) == hipSuccess ? found
								    : dlsym(handle, function);
}

static const struct route routes[] = {
	{"name", open_by_name, look_up_in_handle, false},
	{"default", open_globally, look_up_by_default, false},
	{"deepbind", open_with_deepbind, look_up_in_handle, false},
	{"resolve", open_by_name, resolve, false},
	{"old", open_by_name, resolve_old, true},
	{"entry", open_by_name, look_up_entry, false},
	{"per_thread", open_by_name, resolve_per_thread, false},
};

static void launch_all(hipFunction_t kernel)
{
	count(KERNEL, lib.hipModuleLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL),
		"hipModuleLaunchKernel");
	if (lib.hipModuleLaunchCooperativeKernel)
		count(KERNEL,
			lib.hipModuleLaunchCooperativeKernel(
				kernel, 2, 1, 1, 64, 1, 1, 0, NULL, NULL),
			"hipModuleLaunchCooperativeKernel");
	count(KERNEL, lib.MANGLED(kernel, 128, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL, NULL, NULL, 0),
		"hipExtModuleLaunchKernel");
}

static void work(unsigned long rounds)
{
	hipFunction_t kernel;
	hipModule_t module;
	void *memory;

	check(lib.hipInit(0), "hipInit");
	check(lib.hipModuleLoadData(&module, ""), "hipModuleLoadData");
	check(lib.hipModuleGetFunction(&kernel, module, SHORT), "hipModuleGetFunction");
	check(lib.hipMalloc(&memory, BYTES), "hipMalloc");
	for (unsigned long i = 0; i < rounds; i++) {
		launch_all(kernel);
		count(FILL, lib.hipMemsetAsync(memory, 0, BYTES, NULL), "hipMemsetAsync");
	}
	count(SYNC, lib.hipDeviceSynchronize(), "hipDeviceSynchronize");
}

int main(int argc, char **argv)
{
	return run_route(argc, argv, routes, COUNT_OF(routes), work);
}
