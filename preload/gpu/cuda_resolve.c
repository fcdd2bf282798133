/* SPDX-License-Identifier: MIT */
/*
 * cuGetProcAddress: the CUDA runtime asks the driver itself for its entry points.  Whatever name,
 * version and flags it asks by, the driver answers the address of an exported symbol: that is
 * what we go by.
 */
#include "preload/gpu/cuda_abi.h"
#include "preload/hook.h"
#include "preload/open.h"

#define EXPORT __attribute__((visibility("default")))

static CUresult replaced(CUresult result, void **function)
{
	if (result == CUDA_SUCCESS && function && *function && open_wanted())
		*function = hook_replace(HOOK_API_cuda, *function);
	return result;
}

#define RESOLVER(name, params, args)                                                               \
	EXPORT CUresult name params;                                                               \
	EXPORT CUresult name params                                                                \
	{                                                                                          \
		CUresult(*real) params = hook_next(HOOK_##name);                                   \
                                                                                                   \
		return real ? replaced(real args, function) : CUDA_ERROR_NOT_FOUND;                \
	}
#define KERNEL(...)
#define GRAPH(...)
#define MEMORY(...)
#define ORDER(...)
#define BLOCKING(...)
#define INSTANTIATE(...)
#define UPDATE(...)
#define OBJECT(...)
#define PLAIN(...)

#include "preload/gpu/cuda.def"

/* CUDA_INJECTION64_PATH: the driver calls this within cuInit, also in programs whose lookups we
 * cannot see. */
EXPORT int InitializeInjection(void);
EXPORT int InitializeInjection(void)
{
	if (open_engine(true) == OPEN_READY) {
		hook_attach_library(HOOK_API_cuda, "libcuda.so.1");
		open_host.engine->cuda_loaded();
	}
	return 1;
}
