/* SPDX-License-Identifier: MIT */
/*
 * cuGetProcAddress: the CUDA runtime asks the driver itself for its entry points.  Whatever name,
 * version and flags it asks by, the driver answers the address of an exported symbol: that is
 * what we go by.
 */
#include <stdlib.h>

#include "preload/api/cuda_abi.h"
#include "preload/shim/base/namespace.h"
#include "preload/shim/hook/hook.h"
#include "preload/shim/open/open.h"

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
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define TEARDOWN(...)
#define OBJECT(...)
#define PLAIN(...)

#include "preload/api/cuda.def"

/* CUDA_INJECTION64_PATH: the driver calls this within cuInit, also in programs whose lookups we
 * cannot see.  Where dlmopen gave the driver a namespace of its own, this is a second copy of us
 * there, which only tells the first. */

/* Returns what must run before the process ends; NULL where nothing is recorded. */
typedef void (*injected_function(Lmid_t driver_namespace))(void);

EXPORT injected_function pwrtrace_injected;
EXPORT void (*pwrtrace_injected(Lmid_t driver_namespace))(void)
{
	if (open_engine(true) != OPEN_READY)
		return NULL;
	open_host.driver_namespace = driver_namespace;
	hook_attach_library(HOOK_API_cuda, driver_namespace, "libcuda.so.1");
	open_host.engine->cuda_loaded();
	return open_flush;
}

EXPORT int InitializeInjection(void);
EXPORT int InitializeInjection(void)
{
	injected_function *first = (injected_function *)namespace_first("pwrtrace_injected");
	void (*flush)(void) = (first ? first : pwrtrace_injected)(namespace_ours());

	/* The libc of another namespace has exit handlers of its own. */
	if (first && flush)
		atexit(flush);
	return 1;
}
