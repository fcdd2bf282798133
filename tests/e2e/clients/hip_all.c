/* SPDX-License-Identifier: MIT */
/* Calls every entry point of preload/api/hip.def that starts work, orders or waits, and its twin.
 */
#include "hip_client.h"

/* A function and its twin for per-thread default streams. */
#define BOTH(kind, function, ...)                                                                  \
	ENQUEUE(kind, function, __VA_ARGS__);                                                      \
	ENQUEUE(kind, function##_spt, __VA_ARGS__)

#define HOST_TO_DEVICE hipMemcpyHostToDevice
#define DEVICE_TO_HOST hipMemcpyDeviceToHost
#define DEVICE_TO_DEVICE 3

static char host[BYTES], symbol[1], array_a[1], array_b[1];
static const dim3 grid = {5, 2, 1}, block = {96, 1, 2};

static void launch_symbols(hipStream_t stream)
{
	const hipLaunchConfig_t config = {{3, 2, 1}, {16, 4, 1}, 512, stream, NULL, 0};

	BOTH(KERNEL, hipLaunchKernel, symbol, grid, block, NULL, 128, stream);
	BOTH(KERNEL, hipLaunchCooperativeKernel, symbol, grid, block, NULL, 0, stream);
	ENQUEUE(KERNEL, hipExtLaunchKernel, symbol, grid, block, NULL, 64, stream, NULL, NULL, 0);
	ENQUEUE(KERNEL, hipLaunchKernelExC, &config, symbol, NULL);
	CHECK(hipConfigureCall, (dim3){7, 1, 1}, (dim3){32, 1, 1}, 16, stream);
	ENQUEUE(KERNEL, hipLaunchByPtr, symbol);
}

static void launch_functions(hipFunction_t kernel, hipStream_t stream)
{
	const HIP_LAUNCH_CONFIG config = {3, 2, 1, 16, 4, 1, 512, stream, NULL, 0};

	ENQUEUE(KERNEL, hipModuleLaunchKernel, kernel, 5, 1, 1, 96, 1, 1, 128, stream, NULL, NULL);
	ENQUEUE(KERNEL, hipModuleLaunchCooperativeKernel, kernel, 1, 7, 2, 8, 8, 2, 0, stream,
		NULL);
	ENQUEUE(KERNEL, hipDrvLaunchKernelEx, &config, kernel, NULL, NULL);
	ENQUEUE(KERNEL,
		_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j,
		kernel, 640, 4, 2, 64, 2, 1, 256, stream, NULL, NULL, NULL, NULL, 0);
	ENQUEUE(KERNEL,
		_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_,
		kernel, 320, 4, 2, 32, 2, 1, 256, stream, NULL, NULL, NULL, NULL);
}

static void launch_each(hipFunction_t kernel, hipStream_t stream)
{
	hipLaunchParams symbols[] = {{symbol, {1, 2, 3}, {4, 5, 6}, NULL, 8, stream},
		{symbol, {2, 2, 3}, {4, 5, 6}, NULL, 8, stream}};
	hipFunctionLaunchParams functions[] = {{kernel, 9, 1, 1, 64, 1, 1, 0, stream, NULL}};

	ENQUEUE(KERNEL, hipLaunchCooperativeKernelMultiDevice, symbols, 2, 0);
	ENQUEUE(KERNEL, hipExtLaunchMultiKernelMultiDevice, symbols, 2, 0);
	ENQUEUE(KERNEL, hipModuleLaunchCooperativeKernelMultiDevice, functions, 1, 0);
	started[KERNEL] += 2;
}

static void copy_ways(char *a, char *b, hipStream_t stream)
{
	BOTH(COPY, hipMemcpy, a, b, 100, DEVICE_TO_DEVICE);
	BOTH(WRITE, hipMemcpyAsync, a, host, 200, HOST_TO_DEVICE, stream);
	ENQUEUE(READ, hipMemcpyWithStream, host, a, 210, DEVICE_TO_HOST, stream);
	ENQUEUE(COPY, hipMemcpyPeer, a, 0, b, 0, 300);
	ENQUEUE(COPY, hipMemcpyPeerAsync, a, 0, b, 0, 400, stream);
	ENQUEUE(WRITE, hipMemcpyHtoD, a, host, 500);
	ENQUEUE(WRITE, hipMemcpyHtoDAsync, a, host, 600, stream);
	ENQUEUE(READ, hipMemcpyDtoH, host, a, 700);
	ENQUEUE(READ, hipMemcpyDtoHAsync, host, a, 800, stream);
	ENQUEUE(COPY, hipMemcpyDtoD, a, b, 900);
	ENQUEUE(COPY, hipMemcpyDtoDAsync, a, b, 1000, stream);
	BOTH(WRITE, hipMemcpyToSymbol, symbol, host, 1100, 0, HOST_TO_DEVICE);
	BOTH(WRITE, hipMemcpyToSymbolAsync, symbol, host, 1200, 0, HOST_TO_DEVICE, stream);
	BOTH(READ, hipMemcpyFromSymbol, host, symbol, 1300, 0, DEVICE_TO_HOST);
	BOTH(READ, hipMemcpyFromSymbolAsync, host, symbol, 1400, 0, DEVICE_TO_HOST, stream);
	ENQUEUE(MIGRATE, hipMemPrefetchAsync, a, 1500, 0, stream);
	ENQUEUE(MIGRATE, hipMemPrefetchAsync_v2, a, 1600, (hipMemLocation){1, 0}, 0, stream);
}

static void copy_arrays(char *a, hipStream_t stream)
{
	hipArray *x = (void *)array_a, *y = (void *)array_b;

	ENQUEUE(READ, hipMemcpyAtoH, host, x, 0, 1600);
	ENQUEUE(WRITE, hipMemcpyHtoA, x, 0, host, 1700);
	ENQUEUE(READ, hipMemcpyAtoHAsync, host, x, 0, 1800, stream);
	ENQUEUE(WRITE, hipMemcpyHtoAAsync, x, 0, host, 1900, stream);
	ENQUEUE(COPY, hipMemcpyAtoD, a, x, 0, 2000);
	ENQUEUE(COPY, hipMemcpyDtoA, x, 0, a, 2100);
	ENQUEUE(COPY, hipMemcpyAtoA, x, 0, y, 0, 2200);
	ENQUEUE(WRITE, hipMemcpyToArray, x, 0, 0, host, 2300, HOST_TO_DEVICE);
	BOTH(READ, hipMemcpyFromArray, host, x, 0, 0, 2400, DEVICE_TO_HOST);
	BOTH(WRITE, hipMemcpy2DToArray, x, 0, 0, host, 64, 50, 51, HOST_TO_DEVICE);
	BOTH(WRITE, hipMemcpy2DToArrayAsync, x, 0, 0, host, 64, 50, 52, HOST_TO_DEVICE, stream);
	BOTH(READ, hipMemcpy2DFromArray, host, 64, x, 0, 0, 50, 53, DEVICE_TO_HOST);
	BOTH(READ, hipMemcpy2DFromArrayAsync, host, 64, x, 0, 0, 50, 54, DEVICE_TO_HOST, stream);
	ENQUEUE(COPY, hipMemcpy2DArrayToArray, x, 0, 0, y, 0, 0, 50, 55, DEVICE_TO_DEVICE);
}

/* HIP 6 made the fields of one of these wider, and counts kinds of memory otherwise. */
static void copy_drawn(hipStream_t stream)
{
	bool is_6 = getenv("SIMGPU_HIP_VERSION") == NULL ||
		    atoi(getenv("SIMGPU_HIP_VERSION")) >= HIP_VERSION_6_0;
	const HIP_MEMCPY3D deep = {.srcMemoryType = 0,
		.dstMemoryType = 1,
		.WidthInBytes = 64,
		.Height = 3,
		.Depth = 9};
	const struct hip_memcpy3d_6 deep_6 = {.srcMemoryType = 2,
		.dstMemoryType = 1,
		.WidthInBytes = 64,
		.Height = 3,
		.Depth = 9};
	const HIP_MEMCPY3D *drawn = is_6 ? (const void *)&deep_6 : &deep;

	count(is_6 ? READ : WRITE, hipDrvMemcpy3D(drawn), "hipDrvMemcpy3D");
	count(is_6 ? READ : WRITE, hipDrvMemcpy3DAsync(drawn, stream), "hipDrvMemcpy3DAsync");
}

static void copy_shapes(void **to, void **from, hipStream_t stream)
{
	const hip_Memcpy2D flat = {.WidthInBytes = 64, .Height = 3};
	const hipMemcpy3DParms deep = {.extent = {64, 3, 5}, .kind = HOST_TO_DEVICE};
	hipMemcpy3DPeerParms peer = {.extent = {64, 3, 7}};
	size_t sizes[] = {1000, 24}, index = 0;

	BOTH(READ, hipMemcpy2D, host, 64, *from, 64, 60, 10, DEVICE_TO_HOST);
	BOTH(READ, hipMemcpy2DAsync, host, 64, *from, 64, 60, 11, DEVICE_TO_HOST, stream);
	ENQUEUE(COPY, hipMemcpyParam2D, &flat);
	ENQUEUE(COPY, hipMemcpyParam2DAsync, &flat, stream);
	ENQUEUE(COPY, hipDrvMemcpy2DUnaligned, &flat);
	BOTH(WRITE, hipMemcpy3D, &deep);
	BOTH(WRITE, hipMemcpy3DAsync, &deep, stream);
	ENQUEUE(COPY, hipMemcpy3DPeer, &peer);
	ENQUEUE(COPY, hipMemcpy3DPeerAsync, &peer, stream);
	ENQUEUE(COPY, hipMemcpyBatchAsync, to, from, sizes, 2, NULL, &index, 0, NULL, stream);
	copy_drawn(stream);
}

static void fill_all(void *a, hipStream_t stream)
{
	const hipPitchedPtr pitched = {a, 64, 64, 3};
	const hipExtent extent = {16, 4, 3};

	BOTH(FILL, hipMemset, a, 0, 10);
	BOTH(FILL, hipMemsetAsync, a, 0, 20, stream);
	ENQUEUE(FILL, hipMemsetD8, a, 0, 30);
	ENQUEUE(FILL, hipMemsetD8Async, a, 0, 40, stream);
	ENQUEUE(FILL, hipMemsetD16, a, 0, 50);
	ENQUEUE(FILL, hipMemsetD16Async, a, 0, 60, stream);
	ENQUEUE(FILL, hipMemsetD32, a, 0, 70);
	ENQUEUE(FILL, hipMemsetD32Async, a, 0, 80, stream);
	BOTH(FILL, hipMemset2D, a, 64, 0, 9, 10);
	BOTH(FILL, hipMemset2DAsync, a, 64, 0, 9, 11, stream);
	BOTH(FILL, hipMemset3D, pitched, 0, extent);
	BOTH(FILL, hipMemset3DAsync, pitched, 0, extent, stream);
	ENQUEUE(FILL, hipMemsetD2D8, a, 64, 0, 30, 2);
	ENQUEUE(FILL, hipMemsetD2D8Async, a, 64, 0, 40, 2, stream);
	ENQUEUE(FILL, hipMemsetD2D16, a, 256, 0, 70, 2);
	ENQUEUE(FILL, hipMemsetD2D16Async, a, 256, 0, 80, 2, stream);
	ENQUEUE(FILL, hipMemsetD2D32, a, 512, 0, 110, 2);
	ENQUEUE(FILL, hipMemsetD2D32Async, a, 512, 0, 120, 2, stream);
}

static void order_all(hipEvent_t event, hipStream_t stream)
{
	BOTH(SYNC, hipEventRecord, event, stream);
	ENQUEUE(SYNC, hipEventRecordWithFlags, event, stream, 0);
	BOTH(SYNC, hipStreamWaitEvent, stream, event, 0);
	BOTH(SYNC, hipStreamSynchronize, stream);
	ENQUEUE(SYNC, hipEventSynchronize, event);
	ENQUEUE(SYNC, hipDeviceSynchronize);
	ENQUEUE(SYNC, hipCtxSynchronize);
}

int main(void)
{
	hipStream_t streams[] = {NULL, (hipStream_t)1, PER_THREAD, NULL};
	hipFunction_t kernel;
	hipEvent_t event;
	void *a, *b;

	register_kernel(symbol, SHORT);
	CHECK(hipInit, 0);
	kernel = get_kernel(ADD);
	streams[3] = new_stream();
	event = new_event();
	a = new_memory();
	b = new_memory();
	for (size_t i = 0; i < COUNT_OF(streams); i++) {
		launch_symbols(streams[i]);
		launch_functions(kernel, streams[i]);
		launch_each(kernel, streams[i]);
		copy_ways(a, b, streams[i]);
		copy_arrays(a, streams[i]);
		copy_shapes(&a, &b, streams[i]);
		fill_all(a, streams[i]);
		order_all(event, streams[i]);
	}
	print_started();
	return 0;
}
