/* SPDX-License-Identifier: MIT */
/* What a launch of an empty kernel costs its thread: the median of batches that the device keeps up
 * with, in nanoseconds.  --samples FILE: and where the thread is meanwhile. */
#include <algorithm>
#include <time.h>
#include <vector>

#include "runtime.h"
#include "thread_samples.h"

enum { BATCH = 20000, BATCHES = 25 };

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	long batches = option_number(argc, argv, "--batches", BATCHES);
	const char *samples = option_word(argc, argv, "--samples", NULL);
	std::vector<double> launch_ns;
	struct counts counts = {};
	cudaStream_t stream;

	TRY(cudaStreamCreate(&stream));
	for (long batch = 0; batch <= batches; batch++) {
		double begin_ns = now_ns();

		for (int i = 0; i < BATCH; i++)
			empty<<<1, 32, 0, stream>>>();
		TRY(cudaStreamSynchronize(stream));
		/* The first one warms up. */
		if (batch)
			launch_ns.push_back((now_ns() - begin_ns) / BATCH);
		else if (samples)
			thread_samples_begin();
	}
	if (samples)
		thread_samples_write(samples);
	std::sort(launch_ns.begin(), launch_ns.end());
	counts.kernels = (batches + 1) * BATCH;
	printf("launch_ns=%.1f\n", launch_ns[launch_ns.size() / 2]);
	counts_print(&counts);
	return 0;
}
