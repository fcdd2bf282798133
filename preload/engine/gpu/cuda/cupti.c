/* SPDX-License-Identifier: MIT */
/* Starting and stopping CUPTI. */
#include <string.h>

#include "preload/common/conf.h"
#include "preload/engine/gpu/cuda/cupti.h"

static CUpti_SubscriberHandle subscriber;

/* Synchronization is reported by the callbacks: CUPTI's records of it would make every launch 0.25
 * µs slower (measured on an H200 with CUPTI 13.0). */
static const uint32_t kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
	CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

static bool subscribe(const char **why)
{
	CUptiResult result = cupti.cuptiSubscribe(&subscriber, cupti_on_callback, NULL);

	if (result == CUPTI_SUCCESS)
		return true;
	*why = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
		       ? "another profiler uses CUPTI"
		       : cupti_result_text(result);
	return false;
}

/* Blackwell's tracing by hardware (cuptiActivityEnableHWTrace) stays off: once on, it cannot be
 * switched off for a program that takes CUPTI for itself, and by NVIDIA's release notes, before
 * CUDA 13.4 its records of copies in graphs lose the upper half of graphNodeId. */
static bool enable(const char **why)
{
	CUptiResult result;

	cupti_enable_callbacks(subscriber);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		result = cupti.cuptiActivityEnable(kinds[i]);
		if (result != CUPTI_SUCCESS && i == 0) {
			*why = cupti_result_text(result);
			return false;
		}
	}
	/* To be enabled before the first graph is instantiated: CUPTI 13 crashes otherwise. */
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
	if (!cupti_find(why) || !subscribe(why))
		return false;
	cupti_take_clock();
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
