/* SPDX-License-Identifier: MIT */
/*
 * A program that profiles itself with CUPTI, as PyTorch's profiler does.
 *
 *	cuda_profiled before|after [N]	from its start, or after N launches (default 100); N more
 *
 * Prints what its calls of CUPTI returned, how many of its kernels it has records of, and the
 * totals.
 */
#include "cuda_client.h"

static unsigned records, callbacks;

static void request(uint8_t **buffer, size_t *bytes, size_t *max_records)
{
	*bytes = 1 << 16;
	*buffer = aligned_alloc(64, *bytes);
	*max_records = 0;
}

static void complete(
	CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid_bytes)
{
	CUpti_Activity *record = NULL;

	(void)context, (void)stream, (void)bytes;
	while (cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == CUPTI_SUCCESS)
		records += record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
	free(buffer);
}

static void on_callback(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	(void)user, (void)domain, (void)cbid, (void)data;
	callbacks++;
}

static void profile(void)
{
	enum { LAUNCH_KERNEL = 307 };
	CUpti_SubscriberHandle subscriber;

	printf("subscribe %d,", cuptiSubscribe(&subscriber, on_callback, NULL));
	printf(" callback %d,",
		cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, LAUNCH_KERNEL));
	printf(" buffers %d,", cuptiActivityRegisterCallbacks(request, complete));
	printf(" enable %d\n", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

int main(int argc, char **argv)
{
	unsigned long launches = argc > 2 ? number(argv[2]) : 100;
	bool before = argc > 1 && !strcmp(argv[1], "before");
	CUfunction kernel;
	CUstream stream;

	if (before)
		profile();
	open_device(0);
	kernel = get_kernel(load_module(), ADD);
	stream = new_stream();
	launch(kernel, stream, launches);
	CHECK(cuCtxSynchronize);
	if (!before)
		profile();
	launch(kernel, stream, launches);
	CHECK(cuCtxSynchronize);
	cuptiActivityFlushAll(1);
	printf("records %u, callbacks %u\n", records, callbacks);
	print_started();
	return 0;
}
