/* SPDX-License-Identifier: MIT */
/* Threads of OpenMP's launch within a parallel region, which has no name but its function's. */
#include "tests/e2e/clients/cuda_client.h"

enum { THREADS = 3, TIMES = 4 };

/* Exported, and one place. */
__attribute__((visibility("default"), noinline)) void work(
	CUcontext context, CUfunction kernel, CUstream *streams);
void work(CUcontext context, CUfunction kernel, CUstream *streams)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (int i = 0; i < THREADS; i++) {
		check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
		launch(kernel, streams[i], TIMES);
	}
}

int main(void)
{
	CUcontext context = open_device(0);
	CUfunction kernel = get_kernel(load_module(), SHORT);
	CUstream streams[THREADS];

	for (int i = 0; i < THREADS; i++)
		streams[i] = new_stream();
	for (int turn = 0; turn < 5; turn++)
		work(context, kernel, streams);
	launch(kernel, NULL, 2);
	CHECK(cuCtxSynchronize);
	printf("layer kernels=%d copies=0 path=parallel in work\n", 5 * THREADS * TIMES);
	puts("layer kernels=2 copies=0 path=");
	print_started();
	return 0;
}
