/* SPDX-License-Identifier: MIT */
/*
 * Calls every entry point of preload/api/cuda.def that starts work, and its twin.
 *
 *	cuda_all [old]		old: those that launch kernels without a shape
 */
#include "cuda_client.h"

/* A function and its twin for per-thread default streams. */
#define BOTH(kind, function, twin, ...)                                                            \
	ENQUEUE(kind, function, __VA_ARGS__);                                                      \
	ENQUEUE(kind, function##_##twin, __VA_ARGS__)

static char host[BYTES];

static void launch_all(CUfunction kernel, CUstream stream)
{
	const CUlaunchConfig config = {3, 2, 1, 16, 4, 1, 512, stream, NULL, 0};

	BOTH(KERNEL, cuLaunchKernel, ptsz, kernel, 5, 1, 1, 96, 1, 1, 128, stream, NULL, NULL);
	BOTH(KERNEL, cuLaunchKernelEx, ptsz, &config, kernel, NULL, NULL);
	BOTH(KERNEL, cuLaunchCooperativeKernel, ptsz, kernel, 1, 7, 2, 8, 8, 2, 0, stream, NULL);
}

static void launch_old(CUfunction kernel, CUstream stream)
{
	ENQUEUE(KERNEL, cuLaunch, kernel);
	ENQUEUE(KERNEL, cuLaunchGrid, kernel, 6, 4);
	ENQUEUE(KERNEL, cuLaunchGridAsync, kernel, 6, 4, stream);
}

static void copy_all(CUdeviceptr a, CUdeviceptr b, CUstream stream)
{
	static char array_a[1], array_b[1];

	BOTH(COPY, cuMemcpy, ptds, a, b, 100);
	BOTH(COPY, cuMemcpyAsync, ptsz, a, b, 200, stream);
	BOTH(COPY, cuMemcpyPeer, ptds, a, NULL, b, NULL, 300);
	BOTH(COPY, cuMemcpyPeerAsync, ptsz, a, NULL, b, NULL, 400, stream);
	BOTH(WRITE, cuMemcpyHtoD_v2, ptds, a, host, 500);
	BOTH(WRITE, cuMemcpyHtoDAsync_v2, ptsz, a, host, 600, stream);
	BOTH(READ, cuMemcpyDtoH_v2, ptds, host, a, 700);
	BOTH(READ, cuMemcpyDtoHAsync_v2, ptsz, host, a, 800, stream);
	BOTH(COPY, cuMemcpyDtoD_v2, ptds, a, b, 900);
	BOTH(COPY, cuMemcpyDtoDAsync_v2, ptsz, a, b, 1000, stream);
	BOTH(COPY, cuMemcpyDtoA_v2, ptds, array_a, 0, a, 1100);
	BOTH(COPY, cuMemcpyAtoD_v2, ptds, a, array_a, 0, 1200);
	BOTH(COPY, cuMemcpyAtoA_v2, ptds, array_a, 0, array_b, 0, 1300);
	BOTH(WRITE, cuMemcpyHtoA_v2, ptds, array_a, 0, host, 1400);
	BOTH(WRITE, cuMemcpyHtoAAsync_v2, ptsz, array_a, 0, host, 1500, stream);
	BOTH(READ, cuMemcpyAtoH_v2, ptds, host, array_a, 0, 1600);
	BOTH(READ, cuMemcpyAtoHAsync_v2, ptsz, host, array_a, 0, 1700, stream);
}

static void copy_shapes(CUdeviceptr *to, CUdeviceptr *from, CUstream stream)
{
	const CUDA_MEMCPY2D flat = {.WidthInBytes = 64, .Height = 3};
	const CUDA_MEMCPY3D deep = {.WidthInBytes = 64, .Height = 3, .Depth = 5};
	size_t sizes[] = {1000, 24}, index = 0;

	BOTH(COPY, cuMemcpy2D_v2, ptds, &flat);
	BOTH(COPY, cuMemcpy2DUnaligned_v2, ptds, &flat);
	BOTH(COPY, cuMemcpy2DAsync_v2, ptsz, &flat, stream);
	BOTH(COPY, cuMemcpy3D_v2, ptds, &deep);
	BOTH(COPY, cuMemcpy3DAsync_v2, ptsz, &deep, stream);
	BOTH(COPY, cuMemcpy3DPeer, ptds, &deep);
	BOTH(COPY, cuMemcpy3DPeerAsync, ptsz, &deep, stream);
	BOTH(COPY, cuMemcpyBatchAsync, ptsz, to, from, sizes, 2, NULL, &index, 0, NULL, stream);
	BOTH(COPY, cuMemcpyBatchAsync_v2, ptsz, to, from, sizes, 2, NULL, &index, 0, stream);
}

static void fill_all(CUdeviceptr a, CUstream stream)
{
	BOTH(FILL, cuMemsetD8_v2, ptds, a, 0, 10);
	BOTH(FILL, cuMemsetD8Async, ptsz, a, 0, 20, stream);
	BOTH(FILL, cuMemsetD2D8_v2, ptds, a, 64, 0, 30, 2);
	BOTH(FILL, cuMemsetD2D8Async, ptsz, a, 64, 0, 40, 2, stream);
	BOTH(FILL, cuMemsetD16_v2, ptds, a, 0, 50);
	BOTH(FILL, cuMemsetD16Async, ptsz, a, 0, 60, stream);
	BOTH(FILL, cuMemsetD2D16_v2, ptds, a, 256, 0, 70, 2);
	BOTH(FILL, cuMemsetD2D16Async, ptsz, a, 256, 0, 80, 2, stream);
	BOTH(FILL, cuMemsetD32_v2, ptds, a, 0, 90);
	BOTH(FILL, cuMemsetD32Async, ptsz, a, 0, 100, stream);
	BOTH(FILL, cuMemsetD2D32_v2, ptds, a, 512, 0, 110, 2);
	BOTH(FILL, cuMemsetD2D32Async, ptsz, a, 512, 0, 120, 2, stream);
}

static void order_all(CUcontext context, CUevent event, CUstream stream)
{
	BOTH(SYNC, cuEventRecord, ptsz, event, stream);
	BOTH(SYNC, cuEventRecordWithFlags, ptsz, event, stream, 0);
	BOTH(SYNC, cuStreamWaitEvent, ptsz, stream, event, 0);
	BOTH(SYNC, cuStreamSynchronize, ptsz, stream);
	ENQUEUE(SYNC, cuEventSynchronize, event);
	ENQUEUE(SYNC, cuCtxSynchronize);
	ENQUEUE(SYNC, cuCtxSynchronize_v2, context);
}

int main(int argc, char **argv)
{
	bool old = argc > 1 && !strcmp(argv[1], "old");
	CUcontext context = open_device(0);
	CUfunction kernel = get_kernel(load_module(), ADD);
	CUdeviceptr a = new_memory(), b = new_memory();
	CUstream streams[] = {NULL, (CUstream)1, CU_STREAM_PER_THREAD, new_stream()};
	CUevent event = new_event();

	for (size_t i = 0; i < COUNT_OF(streams); i++) {
		if (old) {
			launch_old(kernel, streams[i]);
			CHECK(cuCtxSynchronize);
			continue;
		}
		launch_all(kernel, streams[i]);
		copy_all(a, b, streams[i]);
		copy_shapes(&a, &b, streams[i]);
		fill_all(a, streams[i]);
		order_all(context, event, streams[i]);
	}
	print_started();
	return 0;
}
