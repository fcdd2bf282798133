/* SPDX-License-Identifier: MIT */
/*
 * How HIP comes to us by itself.
 *
 * hipGetProcAddress and its like: the runtime answers the address of an exported symbol,
 * whatever name, version and flags it is asked by: that is what we go by.
 *
 * rocprofiler_configure: when AMD's runtime comes up it looks for this in the process, and loads
 * rocprofiler-sdk if it is there.  What version 0.4 and earlier record is laid out otherwise.
 */
#include "preload/api/hip_abi.h"
#include "preload/shim/hook/hook.h"
#include "preload/shim/open/open.h"

#define ROCPROFILER_VERSION_0_5 500 /* 10000 * major + 100 * minor + patch */

#define EXPORT __attribute__((visibility("default")))

static hipError_t replaced(hipError_t result, void **function)
{
	if (result == hipSuccess && function && *function && open_wanted())
		*function = hook_replace(HOOK_API_hip, *function);
	return result;
}

#define RESOLVER(since, name, params, args)                                                        \
	EXPORT hipError_t name params;                                                             \
	EXPORT hipError_t name params                                                              \
	{                                                                                          \
		hipError_t(*real) params = hook_next(HOOK_##name);                                 \
                                                                                                   \
		return real ? replaced(real args, function) : hipErrorNotFound;                    \
	}
#define HOOK(...)
#include "preload/api/hip.def"
#undef HOOK

EXPORT void *rocprofiler_configure(
	uint32_t version, const char *runtime_version, uint32_t priority, void *client);
EXPORT void *rocprofiler_configure(
	uint32_t version, const char *runtime_version, uint32_t priority, void *client)
{
	(void)runtime_version, (void)priority;
	if (version < ROCPROFILER_VERSION_0_5)
		return NULL;
	if (open_engine(true) != OPEN_READY)
		return NULL;
	return open_host.engine->rocprofiler_configured(client);
}
