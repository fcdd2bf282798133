/* SPDX-License-Identifier: MIT */
/*
 * Matrix products by cuBLAS at several sizes: single precision, and bf16 on the tensor cores.
 *
 *	cublas                       every size a few times
 *	cublas --seconds N --size S  bf16 products of one size, without a pause, for so long
 *	cublas --launches N --size S [--columns C]
 *	                             so many, one at a time; C 1: of a matrix and a vector
 *	cublas --orders N --size S   so many times after a pause, matrix and vector, 8 times; then a
 *	                             product of matrices, 4 times, and matrix and vector again
 */
#include <cublas_v2.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

enum { TIMES = 10, SIZE_MAX_ = 4096, IN_FLIGHT = 64 };

static cublasHandle_t handle;

static void check(cublasStatus_t status)
{
	if (status == CUBLAS_STATUS_SUCCESS)
		return;
	fprintf(stderr, "cublas: error %d\n", (int)status);
	exit(1);
}

/* Random bits in the range of small numbers: products of zeros draw less power. */
static __global__ void randomize(unsigned short *data, size_t count, unsigned seed)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	unsigned x = (unsigned)i * 2654435761u + seed;

	if (i >= count)
		return;
	x ^= x >> 15;
	x *= 2246822519u;
	x ^= x >> 13;
	data[i] = (unsigned short)((x & 0x8000) | 0x3c00 | (x & 0x03ff));
}

static void *matrix(int size, size_t element_bytes, unsigned seed)
{
	size_t halves = (size_t)size * size * element_bytes / 2;
	unsigned short *data;

	TRY(cudaMalloc(&data, halves * 2));
	randomize<<<(unsigned)((halves + 255) / 256), 256>>>(data, halves, seed);
	return data;
}

static void multiply_floats(int size, const void *a, const void *b, void *product)
{
	float one = 1, zero = 0;

	check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one,
		(const float *)a, size, (const float *)b, size, &zero, (float *)product, size));
}

/* A square matrix times one with so many columns. */
static void multiply_columns(int size, int columns, const void *a, const void *b, void *product)
{
	float one = 1, zero = 0;

	check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, columns, size, &one, a,
		CUDA_R_16BF, size, b, CUDA_R_16BF, size, &zero, product, CUDA_R_16BF, size,
		CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

static void multiply_bf16(int size, const void *a, const void *b, void *product)
{
	multiply_columns(size, size, a, b, product);
}

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The queue never runs dry: a batch is waited for when the next one is queued behind it. */
static void multiply_for(double seconds, int size)
{
	void *a = matrix(size, 2, 1), *b = matrix(size, 2, 2), *product = matrix(size, 2, 3);
	cudaEvent_t done[2];
	long batches = 0;
	double end_s;

	for (int i = 0; i < 2; i++)
		TRY(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
	multiply_bf16(size, a, b, product);
	TRY(cudaDeviceSynchronize());
	printf("busy\n");
	fflush(stdout);
	end_s = now_s() + seconds;
	for (; now_s() < end_s; batches++) {
		for (int i = 0; i < IN_FLIGHT; i++)
			multiply_bf16(size, a, b, product);
		TRY(cudaEventRecord(done[batches % 2]));
		if (batches)
			TRY(cudaEventSynchronize(done[(batches + 1) % 2]));
	}
	TRY(cudaDeviceSynchronize());
	printf("products=%ld\n", batches * IN_FLIGHT + 1);
}

static void multiply_some(long launches, int size, int columns)
{
	void *a = matrix(size, 2, 1), *b = matrix(size, 2, 2), *product = matrix(size, 2, 3);

	for (long i = 0; i < launches; i++) {
		multiply_columns(size, columns, a, b, product);
		TRY(cudaDeviceSynchronize());
	}
	printf("products=%ld\n", launches);
}

static void multiply_in_orders(long orders, int size)
{
	enum { VECTORS = 8, MATRICES = 4, PAUSE_US = 20000 };
	void *a = matrix(size, 2, 1), *b = matrix(size, 2, 2), *product = matrix(size, 2, 3);

	for (long i = 0; i < orders; i++) {
		usleep(PAUSE_US + (unsigned)(rand() % PAUSE_US));
		for (int k = 0; k < VECTORS; k++)
			multiply_columns(size, 1, a, b, product);
		TRY(cudaDeviceSynchronize());
		usleep(PAUSE_US + (unsigned)(rand() % PAUSE_US));
		for (int k = 0; k < MATRICES; k++)
			multiply_bf16(size, a, b, product);
		for (int k = 0; k < VECTORS; k++)
			multiply_columns(size, 1, a, b, product);
		TRY(cudaDeviceSynchronize());
	}
	printf("orders=%ld\n", orders);
}

static void multiply_all(void)
{
	void *a = matrix(SIZE_MAX_, 4, 1), *b = matrix(SIZE_MAX_, 4, 2);
	void *product = matrix(SIZE_MAX_, 4, 3);

	for (int size = 64; size <= SIZE_MAX_; size *= 2) {
		for (int i = 0; i < TIMES; i++) {
			multiply_floats(size, a, b, product);
			multiply_bf16(size, a, b, product);
		}
	}
	TRY(cudaDeviceSynchronize());
	printf("multiplied\n");
	kernel_print("randomize", 3);
}

int main(int argc, char **argv)
{
	long seconds = option_number(argc, argv, "--seconds", 0);
	long launches = option_number(argc, argv, "--launches", 0);
	long orders = option_number(argc, argv, "--orders", 0);
	int size = (int)option_number(argc, argv, "--size", 8192);
	int columns = (int)option_number(argc, argv, "--columns", size);

	check(cublasCreate(&handle));
	if (seconds)
		multiply_for((double)seconds, size);
	else if (launches)
		multiply_some(launches, size, columns);
	else if (orders)
		multiply_in_orders(orders, size);
	else
		multiply_all();
	check(cublasDestroy(handle));
	return 0;
}
