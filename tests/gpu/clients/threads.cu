/* SPDX-License-Identifier: MIT */
/* Eight threads that launch at once, each into a stream of its own. */
#include <thread>
#include <vector>

#include "runtime.h"

enum { THREADS = 8, LAUNCHES = 20000, SYNC_EVERY = 1000 };

static void launch(void)
{
	cudaStream_t stream;

	TRY(cudaStreamCreate(&stream));
	for (int i = 1; i <= LAUNCHES; i++) {
		empty<<<1, 32, 0, stream>>>();
		if (i % SYNC_EVERY == 0)
			TRY(cudaStreamSynchronize(stream));
	}
	TRY(cudaStreamDestroy(stream));
}

int main(void)
{
	struct counts counts = {};
	std::vector<std::thread> threads;

	for (int i = 0; i < THREADS; i++)
		threads.emplace_back(launch);
	for (std::thread &thread : threads)
		thread.join();
	counts.kernels = (long)THREADS * LAUNCHES;
	counts_print(&counts);
	return 0;
}
