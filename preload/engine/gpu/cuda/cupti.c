/* SPDX-License-Identifier: MIT */
/* CUPTI, found at run time: its library, what of it is asked for, and giving it up. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"

struct cupti_functions cupti;

static CUpti_SubscriberHandle subscriber;
static bool clock_is_ours;

static const char *result_text(CUptiResult result)
{
	const char *text = NULL;

	if (cupti.cuptiGetResultString)
		cupti.cuptiGetResultString(result, &text);
	return text ? text : "an unknown error";
}

uint64_t cupti_now_ns(void)
{
	uint64_t now_ns;

	return cupti.cuptiGetTimestamp(&now_ns) == CUPTI_SUCCESS ? now_ns : PWRTRACE_UNKNOWN_U64;
}

bool cupti_clock_is_ours(void)
{
	return clock_is_ours;
}

/* Orders and waits are known from the callbacks: CUPTI's own records of them make every launch a
 * quarter of a microsecond slower (measured on an H200 with CUPTI 13.0). */
static const uint32_t kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
	CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

/* The one that the program has already, or the newest that the driver can serve. */
static void *find_library(void)
{
	static const int manners[] = {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY};
	static const char *const places[] = {"", "/usr/local/cuda/extras/CUPTI/lib64/",
		"/usr/local/cuda/lib64/", "/opt/cuda/extras/CUPTI/lib64/"};
	int version = 0, newest;
	void *library = NULL;
	char path[128];

	if (*conf.cupti)
		return dlmopen(cuda_host->driver_namespace, conf.cupti, RTLD_LAZY);
	if (CUDA(cuDriverGetVersion))
		CUDA(cuDriverGetVersion)(&version);
	newest = version ? version / 1000 : 13;
	for (int i = 0; i < 2 && !library; i++)
		for (int place = 0; place < 4 && !library; place++)
			for (int major = newest; major >= 11 && !library; major--) {
				snprintf(path, sizeof(path), "%slibcupti.so.%d", places[place],
					major);
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

static bool subscribe(const char **why)
{
	CUptiResult result = cupti.cuptiSubscribe(&subscriber, cupti_on_callback, NULL);

	if (result == CUPTI_SUCCESS)
		return true;
	*why = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
		       ? "another profiler uses CUPTI"
		       : result_text(result);
	return false;
}

static bool enable(const char **why)
{
	CUptiResult result;

	cupti_enable_callbacks(subscriber);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		result = cupti.cuptiActivityEnable(kinds[i]);
		if (result != CUPTI_SUCCESS && i == 0) {
			*why = result_text(result);
			return false;
		}
	}
	/* Before the first graph is instantiated, or never: CUPTI 13 crashes otherwise. */
	if (strcmp(conf.graphs, "graph") == 0)
		cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
	return true;
}

static void disable(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		cupti.cuptiActivityDisable(kinds[i]);
	cupti.cuptiUnsubscribe(subscriber);
}

bool cupti_start(const char **why)
{
	void *library = find_library();

	if (!library) {
		*why = "libcupti is not found (PWRTRACE_CUPTI=FILE tells where it is)";
		return false;
	}
	if (!find_functions(library, why) || !subscribe(why))
		return false;
	clock_is_ours = cupti.cuptiActivityRegisterTimestampCallback &&
			cupti.cuptiActivityRegisterTimestampCallback(clock_now_ns) == CUPTI_SUCCESS;
	if (cupti_register_buffers() && enable(why))
		return true;
	cupti.cuptiUnsubscribe(subscriber);
	return false;
}

void cupti_stop(void)
{
	disable();
	cupti_flush(true);
}

const struct gpu_api cupti_api = {
	.name = "cuda",
	.take = cupti_records_take,
	.gather = cupti_records_gather,
	.harvest = cupti_records_harvest,
};
