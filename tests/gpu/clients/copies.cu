/* SPDX-License-Identifier: MIT */
/* Copies and fills of every kind that the runtime has. */
#include "runtime.h"

enum { ROUNDS = 20, WIDTH = 256, HEIGHT = 64, DEPTH = 4, BATCH = 3 };

static const size_t bytes = WIDTH * HEIGHT * DEPTH;

static struct counts counts;
static __device__ char symbol[WIDTH];

/* One call that the device does as one copy. */
#define ONE(call)                                                                                  \
	do {                                                                                       \
		TRY(call);                                                                         \
		counts.calls++;                                                                    \
		counts.memory++;                                                                   \
	} while (0)

struct buffers {
	char *pageable, *pinned, *device, *other;
	cudaArray_t array;
	cudaPitchedPtr volume, other_volume;
	cudaStream_t stream;
};

static void linear(const struct buffers *b)
{
	ONE(cudaMemcpy(b->device, b->pageable, bytes, cudaMemcpyHostToDevice));
	ONE(cudaMemcpy(b->pageable, b->device, bytes, cudaMemcpyDeviceToHost));
	ONE(cudaMemcpy(b->other, b->device, bytes, cudaMemcpyDeviceToDevice));
	ONE(cudaMemcpy(b->device, b->pinned, bytes, cudaMemcpyDefault));
	ONE(cudaMemcpyAsync(b->device, b->pinned, bytes, cudaMemcpyHostToDevice, b->stream));
	ONE(cudaMemcpyAsync(b->pinned, b->device, bytes, cudaMemcpyDeviceToHost, b->stream));
	ONE(cudaMemcpyAsync(b->other, b->device, bytes, cudaMemcpyDeviceToDevice, b->stream));
	ONE(cudaMemcpyAsync(b->device, b->pageable, bytes, cudaMemcpyHostToDevice, b->stream));
	ONE(cudaMemcpyPeer(b->other, 0, b->device, 0, bytes));
	ONE(cudaMemcpyPeerAsync(b->other, 0, b->device, 0, bytes, b->stream));
	ONE(cudaMemcpyToSymbol(symbol, b->pageable, sizeof(symbol)));
	ONE(cudaMemcpyFromSymbol(b->pageable, symbol, sizeof(symbol)));
}

static void shaped(const struct buffers *b)
{
	cudaMemcpy3DParms volume = {};

	ONE(cudaMemcpy2D(
		b->device, WIDTH, b->pinned, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
	ONE(cudaMemcpy2DAsync(b->other, WIDTH, b->device, 2 * WIDTH, WIDTH, HEIGHT,
		cudaMemcpyDeviceToDevice, b->stream));
	ONE(cudaMemcpy2DToArray(
		b->array, 0, 0, b->device, WIDTH, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice));
	ONE(cudaMemcpy2DFromArray(
		b->pinned, WIDTH, b->array, 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
	volume.srcPtr = b->volume;
	volume.dstPtr = b->other_volume;
	volume.extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
	volume.kind = cudaMemcpyDeviceToDevice;
	ONE(cudaMemcpy3D(&volume));
	ONE(cudaMemcpy3DAsync(&volume, b->stream));
}

/* Many copies in one call. */
static void batch(const struct buffers *b)
{
#if CUDART_VERSION >= 13000
	const void *from[BATCH];
	void *to[BATCH];
	size_t sizes[BATCH], first = 0;
	cudaMemcpyAttributes attributes = {};

	for (int i = 0; i < BATCH; i++) {
		from[i] = b->pinned + i * WIDTH;
		to[i] = b->device + i * WIDTH;
		sizes[i] = WIDTH;
	}
	attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
	TRY(cudaMemcpyBatchAsync(to, from, sizes, BATCH, &attributes, &first, 1, b->stream));
	counts.calls++;
	counts.memory += BATCH;
#else
	(void)b;
#endif
}

static void fills(const struct buffers *b)
{
	ONE(cudaMemset(b->device, 1, bytes));
	ONE(cudaMemsetAsync(b->device, 2, bytes, b->stream));
	ONE(cudaMemset2D(b->device, 2 * WIDTH, 3, WIDTH, HEIGHT));
	ONE(cudaMemset2DAsync(b->device, 2 * WIDTH, 4, WIDTH, HEIGHT, b->stream));
}

int main(void)
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
	cudaExtent extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
	struct buffers b = {};

	b.pageable = (char *)calloc(1, bytes);
	TRY(cudaMallocHost(&b.pinned, bytes));
	TRY(cudaMalloc(&b.device, bytes));
	TRY(cudaMalloc(&b.other, bytes));
	TRY(cudaMallocArray(&b.array, &format, WIDTH, HEIGHT));
	TRY(cudaMalloc3D(&b.volume, extent));
	TRY(cudaMalloc3D(&b.other_volume, extent));
	TRY(cudaStreamCreate(&b.stream));
	for (int i = 0; i < ROUNDS; i++) {
		linear(&b);
		shaped(&b);
		batch(&b);
		fills(&b);
	}
	TRY(cudaDeviceSynchronize());
	counts_print(&counts);
	return 0;
}
