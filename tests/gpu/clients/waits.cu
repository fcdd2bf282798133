/* SPDX-License-Identifier: MIT */
/* Events between streams, and every way to wait. */
#include "runtime.h"

enum { ROUNDS = 100 };

int main(void)
{
	struct counts counts = {};
	cudaStream_t first, second;
	cudaEvent_t event, timing;
	float ms;

	TRY(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
	TRY(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, -1));
	TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	TRY(cudaEventCreate(&timing));
	TRY(cudaEventRecord(timing, first));
	for (int i = 0; i < ROUNDS; i++) {
		empty<<<1, 32, 0, first>>>();
		TRY(cudaEventRecord(event, first));
		TRY(cudaStreamWaitEvent(second, event, 0));
		empty<<<1, 32, 0, second>>>();
		TRY(cudaEventRecord(event, second));
		TRY(cudaEventSynchronize(event));
		TRY(cudaEventQuery(event));
		TRY(cudaStreamSynchronize(first));
		TRY(cudaDeviceSynchronize());
	}
	/* The program's own events must still tell the time. */
	TRY(cudaEventRecord(event, first));
	cudaEvent_t last;
	TRY(cudaEventCreate(&last));
	TRY(cudaEventRecord(last, first));
	TRY(cudaEventSynchronize(last));
	TRY(cudaEventElapsedTime(&ms, timing, last));
	printf("the events' own time %s\n", ms > 0 ? "goes on" : "stands still");
	counts.kernels = 2 * ROUNDS;
	printf("dependencies=%d syncs=%d\n", ROUNDS, 3 * ROUNDS);
	counts_print(&counts);
	return 0;
}
