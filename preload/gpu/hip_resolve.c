/* SPDX-License-Identifier: MIT */
/*
 * How HIP comes to us by itself.
 *
 * hipGetProcAddress: the runtime answers the address of an exported symbol, whatever name, version
 * and flags it is asked by: that is what we go by.
 *
 * rocprofiler_configure: when AMD's runtime comes up it looks for this in the process, and loads
 * rocprofiler-sdk if it is there.
 */
#include "preload/gpu/hip_abi.h"
#include "preload/hook.h"
#include "preload/open.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT hipError_t hipGetProcAddress(
	const char *name, void **function, int version, uint64_t flags, void *status);
EXPORT hipError_t hipGetProcAddress(
	const char *name, void **function, int version, uint64_t flags, void *status)
{
	hipError_t (*real)(const char *, void **, int, uint64_t, void *) =
		hook_next(HOOK_hipGetProcAddress);
	hipError_t result = real ? real(name, function, version, flags, status) : hipErrorNotFound;

	if (result == hipSuccess && function && *function && open_wanted())
		*function = hook_replace(HOOK_API_hip, *function);
	return result;
}

EXPORT void *rocprofiler_configure(
	uint32_t version, const char *runtime_version, uint32_t priority, void *client);
EXPORT void *rocprofiler_configure(
	uint32_t version, const char *runtime_version, uint32_t priority, void *client)
{
	(void)version, (void)runtime_version, (void)priority;
	if (open_engine(true) != OPEN_READY)
		return NULL;
	return open_host.engine->rocprofiler_configured(client);
}
