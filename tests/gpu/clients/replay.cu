/* SPDX-License-Identifier: MIT */
/*
 * Kernels that change memory in place, launched often enough to be replayed; what memory holds in
 * the end is printed.
 *
 *	replay [--managed 1] [--reached 1] [--gigabytes N] [--pinned 1]
 *	       [--launches N] [--pause-ms N] [--graph 1]
 *
 * --managed: there is managed memory.  --reached: the kernels work on the host's memory.
 * --gigabytes: there is so much device memory besides, whose end one kernel works on.  --pinned:
 * there is host memory that no kernel is given.  --launches: how often each kernel is launched;
 * --pause-ms: the host waits so long after each time.  --graph: a graph launches them.
 */
#include <cinttypes>
#include <unistd.h>

#include "runtime.h"

enum { BLOCKS = 1024, THREADS = 256, ELEMENTS = BLOCKS * THREADS };

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

/* Its blocks take their work by a ticket; one that comes too late works far outside the data. */
static __global__ void share(uint32_t *data, unsigned *ticket)
{
	__shared__ unsigned own;

	if (threadIdx.x == 0)
		own = atomicAdd(ticket, 1);
	__syncthreads();
	size_t block = own < gridDim.x ? own : (size_t)own << 32;
	uint32_t *word = &data[block * blockDim.x + threadIdx.x];

	*word = *word * 1664525u + 1013904223u;
}

static __global__ void number(uint32_t *words, size_t count)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
		i += (size_t)gridDim.x * blockDim.x)
		words[i] = (uint32_t)i * 2654435761u;
}

/* The sum of words, each by its place. */
static __global__ void digest(const uint32_t *words, size_t count, unsigned *sum)
{
	unsigned own = 0;

	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
		i += (size_t)gridDim.x * blockDim.x)
		own += words[i] * ((unsigned)i | 1);
	atomicAdd(sum, own);
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

/* The ticket is reset before other kernels, as CUB's radix sort does. */
static void launch_all(uint32_t *data, unsigned *counter, unsigned *ticket, float *floats,
	cudaStream_t stream)
{
	if (ticket)
		TRY(cudaMemsetAsync(ticket, 0, sizeof(*ticket), stream));
	mix<<<BLOCKS, THREADS, 0, stream>>>(data);
	count<<<BLOCKS, THREADS, 0, stream>>>(counter);
	scale<<<BLOCKS, THREADS, 0, stream>>>(floats, 1.0625f);
	if (ticket)
		share<<<BLOCKS, THREADS, 0, stream>>>(data, ticket);
}

int main(int argc, char **argv)
{
	static uint32_t words[ELEMENTS];
	struct counts counts = {};
	long launches = option_number(argc, argv, "--launches", 20);
	long pause_ms = option_number(argc, argv, "--pause-ms", 0);
	size_t large = option_number(argc, argv, "--gigabytes", 0) * 1000000000 / sizeof(uint32_t);
	uint32_t sum = 0, counted, digested = 0;
	void *managed, *pinned;

	reached = option_number(argc, argv, "--reached", 0);
	if (option_number(argc, argv, "--managed", 0))
		TRY(cudaMallocManaged(&managed, 4096));
	if (option_number(argc, argv, "--pinned", 0))
		TRY(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped));
	uint32_t *all = (uint32_t *)allocate(large * sizeof(uint32_t) + sizeof(words));
	uint32_t *data = all + large;

	if (large)
		number<<<BLOCKS, THREADS>>>(all, large);
	unsigned *counter = (unsigned *)allocate(sizeof(*counter));
	unsigned *ticket = reached ? NULL : (unsigned *)allocate(sizeof(*ticket));
	float *floats = (float *)allocate(ELEMENTS * sizeof(float));
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t executable = NULL;

	TRY(cudaStreamCreate(&stream));
	TRY(cudaDeviceSynchronize());
	if (option_number(argc, argv, "--graph", 0)) {
		TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
		launch_all(data, counter, ticket, floats, stream);
		TRY(cudaStreamEndCapture(stream, &graph));
		TRY(cudaGraphInstantiate(&executable, graph, 0));
		TRY(cudaGraphDestroy(graph));
		counts.graphs = launches;
	}
	for (long i = 0; i < launches; i++) {
		if (executable)
			TRY(cudaGraphLaunch(executable, stream));
		else
			launch_all(data, counter, ticket, floats, stream);
		if (pause_ms) {
			TRY(cudaStreamSynchronize(stream));
			usleep(1000 * pause_ms);
		}
	}
	(executable ? counts.node_kernels : counts.kernels) = (ticket ? 4 : 3) * launches;
	TRY(cudaStreamSynchronize(stream));
	read_back(words, data, sizeof(words));
	read_back(&counted, counter, sizeof(counted));
	for (int i = 0; i < ELEMENTS; i++)
		sum = sum * 31 + words[i];
	counts.memory = counts.calls = reached ? 0 : 6;
	(executable ? counts.node_memory : counts.memory) += ticket ? launches : 0;
	if (!executable)
		counts.calls = counts.memory;
	if (large) {
		unsigned *digest_sum = (unsigned *)allocate(sizeof(digested));

		digest<<<BLOCKS, THREADS, 0, stream>>>(all, large, digest_sum);
		TRY(cudaStreamSynchronize(stream));
		read_back(&digested, digest_sum, sizeof(digested));
		counts.kernels += 2;
		counts.calls = counts.memory += 2;
	}
	printf("sum: %" PRIu32 ", counted: %" PRIu32 ", digested: %" PRIu32 "\n", sum, counted,
		digested);
	kernel_print("count", launches);
	counts_print(&counts);
	return 0;
}
