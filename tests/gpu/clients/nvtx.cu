/* SPDX-License-Identifier: MIT */
/* A program that names its parts by NVTX 3: nested ranges, a domain, ranges that overlap. */
#include <nvtx3/nvToolsExt.h>

#include "runtime.h"

enum { TIMES = 50, ELEMENTS = 256 };

static struct counts counts;
static float *data;

static void launch(int times)
{
	for (int i = 0; i < times; i++)
		scale<<<1, ELEMENTS>>>(data, 1);
	counts.kernels += times;
}

int main(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
	nvtxEventAttributes_t event = {};
	nvtxRangeId_t first, second;

	event.version = NVTX_VERSION;
	event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	event.messageType = NVTX_MESSAGE_TYPE_ASCII;
	event.message.ascii = "solve";
	TRY(cudaMalloc(&data, ELEMENTS * sizeof(*data)));
	for (int i = 0; i < TIMES; i++) {
		nvtxRangePushA("step");
		launch(1);
		nvtxDomainRangePushEx(domain, &event);
		launch(2);
		nvtxDomainRangePop(domain);
		nvtxRangePop();
		first = nvtxRangeStartA("first");
		second = nvtxRangeStartA("second");
		launch(3);
		nvtxRangeEnd(first);
		launch(4);
		nvtxRangeEnd(second);
	}
	TRY(cudaDeviceSynchronize());
	printf("layer:step=%d\nlayer:step/library:solve=%d\n", TIMES, 2 * TIMES);
	printf("layer:first/second=%d\nlayer:second=%d\n", 3 * TIMES, 4 * TIMES);
	counts_print(&counts);
	return 0;
}
