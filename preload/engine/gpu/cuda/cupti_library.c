/* SPDX-License-Identifier: MIT */
/* CUPTI's library, found at run time, and its clock. */
#include <dlfcn.h>
#include <stdio.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/cupti_places.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"

struct cupti_functions cupti;

/* Finds the library that the program has loaded, or the newest that the driver supports. */
static void *find_library(void)
{
	static const int manners[] = {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY};
	int version = 0, newest;
	void *library = NULL;
	char path[128];

	if (*conf.cupti)
		return dlmopen(cuda_host->driver_namespace, conf.cupti, RTLD_LAZY);
	if (CUDA(cuDriverGetVersion))
		CUDA(cuDriverGetVersion)(&version);
	newest = version ? version / 1000 : CUPTI_NEWEST;
	for (int i = 0; i < 2 && !library; i++)
		for (size_t place = 0; place < CUPTI_PLACES && !library; place++)
			for (int major = newest; major >= 11 && !library; major--) {
				snprintf(path, sizeof(path), "%slibcupti.so.%d",
					cupti_places[place], major);
				library = dlmopen(cuda_host->driver_namespace, path, manners[i]);
			}
	return library;
}

static bool find_functions(void *library, const char **why)
{
#define TAKES(name, params, args)
#define FUNCTION(name, params) cupti.name = (CUptiResult(*) params)dlsym(library, #name);
#include "preload/api/cupti.def"
	if (cupti.cuptiSubscribe && cupti.cuptiUnsubscribe && cupti.cuptiEnableCallback &&
		cupti.cuptiActivityRegisterCallbacks && cupti.cuptiActivityEnable &&
		cupti.cuptiActivityDisable && cupti.cuptiActivityFlushAll &&
		cupti.cuptiActivityGetNextRecord && cupti.cuptiGetTimestamp &&
		cupti.cuptiGetGraphNodeId && cupti.cuptiGetStreamIdEx && cupti.cuptiGetDeviceId)
		return true;
	*why = "this libcupti is too old (CUDA 11.1 is needed)";
	return false;
}

bool cupti_find(const char **why)
{
	void *library = find_library();

	if (library)
		return find_functions(library, why);
	*why = "libcupti is not found (PWRTRACE_CUPTI=FILE tells where it is)";
	return false;
}

const char *cupti_result_text(CUptiResult result)
{
	const char *text = NULL;

	if (cupti.cuptiGetResultString)
		cupti.cuptiGetResultString(result, &text);
	return text ? text : "an unknown error";
}

static bool clock_is_ours;

uint64_t cupti_now_ns(void)
{
	uint64_t now_ns;

	return cupti.cuptiGetTimestamp(&now_ns) == CUPTI_SUCCESS ? now_ns : PWRTRACE_UNKNOWN_U64;
}

bool cupti_clock_is_ours(void)
{
	return clock_is_ours;
}

void cupti_take_clock(void)
{
	clock_is_ours = cupti.cuptiActivityRegisterTimestampCallback &&
			cupti.cuptiActivityRegisterTimestampCallback(clock_now_ns) == CUPTI_SUCCESS;
}
