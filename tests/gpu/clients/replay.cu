/* SPDX-License-Identifier: MIT */
/*
 * Kernels that change memory in place, launched often enough to be replayed; what memory holds in
 *the end is printed.
 *
 *	replay [--managed 1] [--reached 1]
 *
 * --managed: there is managed memory.  --reached: the kernels work on the host's memory.
 */
#include <cinttypes>

#include "runtime.h"

enum { LAUNCHES = 20, BLOCKS = 1024, THREADS = 256, ELEMENTS = BLOCKS * THREADS };

static __global__ void count(unsigned *counter)
{
	if (blockIdx.x == 0 && threadIdx.x == 0)
		atomicAdd(counter, 1);
}

static __global__ void mix(uint32_t *data)
{
	uint32_t *word = &data[blockIdx.x * blockDim.x + threadIdx.x];

	*word = *word * 1664525u + 1013904223u;
}

static bool reached; /* the host's memory is what kernels work on */

static void *allocate(size_t bytes)
{
	void *memory;

	if (reached) {
		TRY(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
		memset(memory, 0, bytes);
	} else {
		TRY(cudaMalloc(&memory, bytes));
		TRY(cudaMemset(memory, 0, bytes));
	}
	return memory;
}

static void read_back(void *to, const void *from, size_t bytes)
{
	if (reached)
		memcpy(to, from, bytes);
	else
		TRY(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

int main(int argc, char **argv)
{
	static uint32_t words[ELEMENTS];
	struct counts counts = {};
	uint32_t sum = 0, counted;
	void *managed;

	reached = option_number(argc, argv, "--reached", 0);
	if (option_number(argc, argv, "--managed", 0))
		TRY(cudaMallocManaged(&managed, 4096));
	uint32_t *data = (uint32_t *)allocate(sizeof(words));
	unsigned *counter = (unsigned *)allocate(sizeof(*counter));
	float *floats = (float *)allocate(ELEMENTS * sizeof(float));
	cudaStream_t stream;

	TRY(cudaStreamCreate(&stream));
	TRY(cudaDeviceSynchronize());
	for (int i = 0; i < LAUNCHES; i++) {
		mix<<<BLOCKS, THREADS, 0, stream>>>(data);
		count<<<BLOCKS, THREADS, 0, stream>>>(counter);
		scale<<<BLOCKS, THREADS, 0, stream>>>(floats, 1.0625f);
	}
	counts.kernels = 3 * LAUNCHES;
	TRY(cudaStreamSynchronize(stream));
	read_back(words, data, sizeof(words));
	read_back(&counted, counter, sizeof(counted));
	for (int i = 0; i < ELEMENTS; i++)
		sum = sum * 31 + words[i];
	printf("sum: %" PRIu32 ", counted: %" PRIu32 "\n", sum, counted);
	kernel_print("count", LAUNCHES);
	counts.memory = counts.calls = reached ? 0 : 5;
	counts_print(&counts);
	return 0;
}
