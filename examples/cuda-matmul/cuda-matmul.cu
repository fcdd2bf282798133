/* SPDX-License-Identifier: MIT */
/*
 * One matrix product, computed in three ways, so that a report can tell what each of them costs:
 * the arithmetic is the same, the traffic to memory is not.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include <pwrtrace/pwrtrace.h>

#define TILE 16
#define ROWS 4 /* that a thread of the third way computes */

#define TRY(call)                                                                                  \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* All matrices are [size][size], row by row, and size is a multiple of ROWS * TILE. */

/* Every thread reads its row and its column from memory. */
__global__ void matmul_naive(const float *a, const float *b, float *product, int size)
{
	int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;

	for (int i = 0; i < size; i++)
		sum += a[row * size + i] * b[i * size + column];
	product[row * size + column] = sum;
}

/* A block reads tiles of both into shared memory, where its threads share them. */
__global__ void matmul_tiled(const float *a, const float *b, float *product, int size)
{
	__shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
	int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;

	for (int first = 0; first < size; first += TILE) {
		a_tile[threadIdx.y][threadIdx.x] = a[row * size + first + threadIdx.x];
		b_tile[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * size + column];
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
		__syncthreads();
	}
	product[row * size + column] = sum;
}

/* Likewise, and each thread keeps ROWS sums in registers: a number from b serves all of them. */
__global__ void matmul_registers(const float *a, const float *b, float *product, int size)
{
	__shared__ float a_tile[ROWS * TILE][TILE], b_tile[TILE][TILE];
	int column = blockIdx.x * TILE + threadIdx.x;
	int first_row = blockIdx.y * ROWS * TILE + threadIdx.y;
	float sums[ROWS] = {0};

	for (int first = 0; first < size; first += TILE) {
		for (int row = 0; row < ROWS; row++)
			a_tile[threadIdx.y + row * TILE][threadIdx.x] =
				a[(first_row + row * TILE) * size + first + threadIdx.x];
		b_tile[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * size + column];
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			for (int row = 0; row < ROWS; row++)
				sums[row] += a_tile[threadIdx.y + row * TILE][i] *
					     b_tile[i][threadIdx.x];
		__syncthreads();
	}
	for (int row = 0; row < ROWS; row++)
		product[(first_row + row * TILE) * size + column] = sums[row];
}

struct way {
	const char *layer;
	void (*kernel)(const float *, const float *, float *, int);
	int rows; /* that a thread computes */
};

static const struct way ways[] = {
	{"naive", matmul_naive, 1},
	{"tiled", matmul_tiled, 1},
	{"registers", matmul_registers, ROWS},
};

/* Small numbers that are no pattern: products of zeros would draw less power. */
static std::vector<float> random_matrix(int size)
{
	std::vector<float> numbers((size_t)size * size);

	for (float &number : numbers)
		number = (float)rand() / (float)RAND_MAX - 0.5f;
	return numbers;
}

int main(int argc, char **argv)
{
	int size = 2048, steps = 50, option;

	static const struct option options[] = {
		{"size", required_argument, NULL, 'n'},
		{"steps", required_argument, NULL, 's'},
		{NULL, 0, NULL, 0},
	};
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'n')
			size = atoi(optarg);
		else if (option == 's')
			steps = atoi(optarg);
		else
			return 2;
	}
	if (size <= 0 || size % (ROWS * TILE)) {
		fprintf(stderr, "the size must be a multiple of %d\n", ROWS * TILE);
		return 2;
	}

	size_t bytes = (size_t)size * size * sizeof(float);
	std::vector<float> host = random_matrix(size);
	float *a, *b, *product, first = 0, last;
	int kernels = 0;

	TRY(cudaMalloc(&a, bytes));
	TRY(cudaMalloc(&b, bytes));
	TRY(cudaMalloc(&product, bytes));
	{
		pwrtrace::range load("load");

		TRY(cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice));
		TRY(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
	}
	for (const struct way &way : ways) {
		pwrtrace::range layer(way.layer);

		for (int step = 0; step < steps; step++) {
			dim3 grid(size / TILE, size / (way.rows * TILE)), block(TILE, TILE);

			way.kernel<<<grid, block>>>(a, b, product, size);
			kernels++;
		}
		TRY(cudaDeviceSynchronize());
		pwrtrace_mark("products", steps, "product");
		TRY(cudaMemcpy(&last, product, sizeof(last), cudaMemcpyDeviceToHost));
		if (&way == ways)
			first = last;
		printf("%-9s %s\n", way.layer,
			first - last < 1e-2 && last - first < 1e-2 ? "agrees" : "differs");
	}
	printf("kernels=%d memory=%d\n", kernels, 2 + (int)(sizeof(ways) / sizeof(*ways)));
	return 0;
}
