/* SPDX-License-Identifier: MIT */
/* How a program finds the driver's devices and functions, and how a tool is injected. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simgpu/cuda_parts.h"

#define PER_THREAD_STREAM 2

/* ---- devices that the program sees ---- */

uint32_t sim_device_count(void)
{
	const char *devices = getenv("SIMGPU_CUDA_DEVICES");
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	uint32_t count = devices ? (uint32_t)atoi(devices) : 1;

	if (!visible)
		return count;
	count = *visible != 0;
	for (; *visible; visible++)
		count += *visible == ',';
	return count;
}

uint32_t sim_device(CUdevice ordinal)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	if (!visible)
		return (uint32_t)ordinal;
	for (; ordinal > 0; ordinal--)
		visible = strchr(visible, ',') + 1;
	return (uint32_t)atoi(visible);
}

void sim_let_tool_in(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_NOW) : NULL;
	int (*tool)(void) = library ? (int (*)(void))dlsym(library, "InitializeInjection") : NULL;

	if (tool)
		tool();
}

CUresult cuGetExportTable(const void **table, const void *id)
{
	(void)table, (void)id;
	return CUDA_ERROR_INVALID_VALUE;
}

/* ---- cuGetProcAddress ---- */

static const struct entry {
	const char *name;
	void *address;
} entries[] = {
#define HOOK(api, cbid, ret, name, params, args, role) {#name, (void *)name},
#include "preload/api/cuda.def"
#include "tests/simgpu/cuda.def"
#undef HOOK
};

/* The first version of CUDA that has a function: that of the first row whose part is in the
 * function's name, else 3.2. */
static const struct first_version {
	const char *part;
	int version;
} first_versions[] = {
	{"cuGetProcAddress_v2", 12000},
	{"cuGetProcAddress", 11030},
	{"Ex", 11060},
	{"BatchAsync_v2", 13000},
	{"BatchAsync", 12080},
	{"cuCtxSynchronize_v2", 13000},
	{"cuGraph", 10000},
	{"_pt", 7000},
	{"", 3020},
};

static int since(const char *name)
{
	const struct first_version *row = first_versions;

	while (!strstr(name, row->part))
		row++;
	return row->version;
}

enum status { FOUND, NOT_FOUND, TOO_OLD };

static enum status find(const char *name, int version, void **function)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		if (strcmp(entries[i].name, name) != 0)
			continue;
		if (since(name) > version)
			return TOO_OLD;
		*function = entries[i].address;
		return FOUND;
	}
	return NOT_FOUND;
}

/* The newest variant of a function that the version has; the one for per-thread default streams,
 * where it is asked for and exists. */
CUresult cuGetProcAddress_v2(
	const char *name, void **function, int version, uint64_t flags, void *status)
{
	static const char *const ends[] = {"_v2_ptsz", "_v2_ptds", "_ptsz", "_ptds", "_v2", ""};
	enum { TWINS = 4, ENDS = 6 };
	enum status found = NOT_FOUND;
	char full[128];

	*function = NULL;
	for (int i = flags & PER_THREAD_STREAM ? 0 : TWINS; i < ENDS && found != FOUND; i++) {
		enum status here;

		snprintf(full, sizeof(full), "%s%s", name, ends[i]);
		here = find(full, version, function);
		if (here != NOT_FOUND)
			found = here;
	}
	if (status)
		*(int *)status = (int)found;
	return !status && found != FOUND ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
	return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
