/* SPDX-License-Identifier: MIT */
/*
 * A program that uses CUPTI itself.  What its own profiler counts must be the same under pwrtrace.
 *
 *	profiled before      it subscribes before its first use of CUDA
 *	profiled after       it subscribes after launches that pwrtrace has seen by CUPTI
 *	profiled activity    likewise, but it only registers buffers for activity records
 */
#include <cupti.h>

#include "runtime.h"

enum { LAUNCHES = 1000, BUFFER_BYTES = 1 << 20 };

static long launches_seen, records_seen;
static CUpti_SubscriberHandle subscriber;

static void check(CUptiResult result, const char *call)
{
	const char *text = "";

	if (result == CUPTI_SUCCESS)
		return;
	cuptiGetResultString(result, &text);
	fprintf(stderr, "%s: %s\n", call, text);
	exit(1);
}

#define TRY_CUPTI(call) check(call, #call)

static void CUPTIAPI on_call(
	void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *callback_data)
{
	const CUpti_CallbackData *data = (const CUpti_CallbackData *)callback_data;

	if (data->callbackSite == CUPTI_API_EXIT)
		launches_seen++;
}

static void CUPTIAPI request(uint8_t **buffer, size_t *bytes, size_t *records)
{
	*buffer = (uint8_t *)aligned_alloc(8, BUFFER_BYTES);
	*bytes = BUFFER_BYTES;
	*records = 0;
}

static void CUPTIAPI complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
	CUpti_Activity *record = NULL;

	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
		records_seen += record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
	free(buffer);
}

static void begin(bool subscribes)
{
	if (subscribes) {
		TRY_CUPTI(cuptiSubscribe(&subscriber, on_call, NULL));
		TRY_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
			CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
	}
	TRY_CUPTI(cuptiActivityRegisterCallbacks(request, complete));
	TRY_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

static void end(void)
{
	TRY(cudaDeviceSynchronize());
	TRY_CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
	TRY_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
	if (subscriber)
		TRY_CUPTI(cuptiUnsubscribe(subscriber));
}

static long launch(void)
{
	for (int i = 0; i < LAUNCHES; i++)
		empty<<<1, 32>>>();
	TRY(cudaDeviceSynchronize());
	return LAUNCHES;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	struct counts counts = {};

	if (strcmp(way, "before") != 0)
		counts.kernels += launch();
	begin(strcmp(way, "activity") != 0);
	counts.kernels += launch();
	end();
	counts.kernels += launch();
	printf("of its own: %ld launches, %ld records\n", launches_seen, records_seen);
	counts_print(&counts);
	return 0;
}
