/* SPDX-License-Identifier: MIT */
/* Initialization of the simulated GPUs for HIP.  The tools of AMD are loaded, not those of CUDA. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simgpu/hip_parts.h"

uint32_t sim_device_count(void)
{
	const char *devices = getenv("SIMGPU_CUDA_DEVICES");

	return devices ? (uint32_t)atoi(devices) : 1;
}

uint32_t sim_device(CUdevice ordinal)
{
	return (uint32_t)ordinal;
}

/* As rocprofiler-register does. */
void sim_let_tool_in(void)
{
	void *configure = dlsym(RTLD_DEFAULT, "rocprofiler_configure");
	void *library = configure ? dlopen("librocprofiler-sdk.so.1", RTLD_NOW) : NULL;
	void (*start)(void *) =
		library ? (void (*)(void *))dlsym(library, "simgpu_rocprofiler_start") : NULL;

	if (start)
		start(configure);
}

/* ---- hipGetProcAddress ---- */

static const struct entry {
	const char *name;
	void *address;
	int since; /* 100 * major + minor */
} entries[] = {
#define HOOK(api, since, ret, name, params, args, role) {#name, (void *)name, since},
#include "preload/api/hip.def"
#undef HOOK
#define ENTRY(ret, name, params) {#name, (void *)name, 502},
#include "tests/simgpu/hip.def"
};

hipError_t hipGetProcAddress(
	const char *name, void **function, int version, uint64_t flags, void *status)
{
	(void)flags, (void)status;
	*function = NULL;
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		if (strcmp(entries[i].name, name) != 0 || entries[i].since > version)
			continue;
		*function = entries[i].address;
		return hipSuccess;
	}
	return hipErrorNotFound;
}

/* The variant of a function for per-thread default streams, where there is one. */
hipError_t hipGetProcAddress_spt(
	const char *name, void **function, int version, uint64_t flags, void *status)
{
	char twin[128];

	snprintf(twin, sizeof(twin), "%s_spt", name);
	return hipGetProcAddress(twin, function, version, flags, status) == hipSuccess
		       ? hipSuccess
		       : hipGetProcAddress(name, function, version, flags, status);
}

hipError_t hipGetDriverEntryPoint(
	const char *name, void **function, unsigned long long flags, void *status)
{
	return hipGetProcAddress(name, function, 999, flags, status);
}

hipError_t hipGetDriverEntryPoint_spt(
	const char *name, void **function, unsigned long long flags, void *status)
{
	return hipGetProcAddress_spt(name, function, 999, flags, status);
}
