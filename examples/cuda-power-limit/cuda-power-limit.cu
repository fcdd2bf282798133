/* SPDX-License-Identifier: MIT */
/*
 * What a power limit does to a GPU: matrix products beside reads of memory, products of zeros and
 * of random numbers, products in small and in large tiles, products and reads one after another and
 * at once.  Each is a layer, in which the products and the reads are layers of their own.
 */
#include <cublasLt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pwrtrace/pwrtrace.h>

#define SIZE 8192               /* of the square products */
#define READ_BYTES (1ULL << 30) /* of a read: larger than any cache */
#define WORKSPACE_BYTES (64ULL << 20)
#define BATCH_MS 20 /* launches that are queued at once; one batch waits while one runs */
#define ALGORITHMS 64

#define TRY(call)                                                                                  \
	do {                                                                                       \
		int error_ = (int)(call);                                                          \
		if (error_) {                                                                      \
			fprintf(stderr, "cuda-power-limit: %s: error %d\n", #call, error_);        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* A matrix product in bfloat16, sums in float: [m][k] × [k][n], as cuBLASLt describes it. */
struct product {
	cublasLtMatmulDesc_t how;
	cublasLtMatrixLayout_t a_layout, b_layout, c_layout;
	cublasLtMatmulAlgo_t algorithm;
	uint16_t *a, *b, *c;
};

struct gpu {
	cublasLtHandle_t cublas;
	cudaStream_t streams[2];
	cudaEvent_t batch_ends[2];
	void *workspace;
	float4 *read;
	unsigned *sum;
	unsigned long launches;
};

/* How to keep the device busy: so much of its time with products, the rest with reads. */
struct pattern {
	const char *layer;
	const struct product *product;
	double share; /* of the time that goes to products; less than 0: both at once */
};

__device__ static unsigned hash(unsigned x)
{
	x = (x ^ (x >> 16)) * 0x7feb352dU;
	x = (x ^ (x >> 15)) * 0x846ca68bU;
	return x ^ (x >> 16);
}

/* Numbers from -1 to 1 whose bits are as good as random. */
__global__ void fill_random(uint16_t *numbers, size_t count)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
		i += gridDim.x * (size_t)blockDim.x) {
		float number = (float)(int)hash((unsigned)i) * 0x1p-31f;

		numbers[i] = (uint16_t)(__float_as_uint(number) >> 16);
	}
}

__global__ void read_memory(const float4 *from, size_t count, unsigned *sum)
{
	unsigned bits = 0;

	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
		i += gridDim.x * (size_t)blockDim.x) {
		float4 number = from[i];

		bits ^= __float_as_uint(number.x) ^ __float_as_uint(number.y) ^
			__float_as_uint(number.z) ^ __float_as_uint(number.w);
	}
	if (bits == 1) /* so that no compiler leaves the reads out */
		*sum = bits;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *gpu_memory(size_t bytes)
{
	void *memory;

	TRY(cudaMalloc(&memory, bytes));
	return memory;
}

static void fill(struct gpu *gpu, void *memory, size_t bytes)
{
	fill_random<<<1024, 256, 0, gpu->streams[0]>>>((uint16_t *)memory, bytes / 2);
	gpu->launches++;
}

static struct gpu gpu_open(void)
{
	struct gpu gpu = {};

	TRY(cublasLtCreate(&gpu.cublas));
	for (int i = 0; i < 2; i++) {
		TRY(cudaStreamCreateWithFlags(&gpu.streams[i], cudaStreamNonBlocking));
		TRY(cudaEventCreateWithFlags(&gpu.batch_ends[i], cudaEventDisableTiming));
	}
	gpu.workspace = gpu_memory(WORKSPACE_BYTES);
	gpu.read = (float4 *)gpu_memory(READ_BYTES);
	gpu.sum = (unsigned *)gpu_memory(sizeof(*gpu.sum));
	fill(&gpu, gpu.read, READ_BYTES);
	return gpu;
}

/* Takes the first algorithm that computes in such tiles, or in any (0).  Returns whether there is
 * one. */
static bool choose(const struct gpu *gpu, struct product *product, int wanted_tile)
{
	cublasLtMatmulHeuristicResult_t found[ALGORITHMS];
	cublasLtMatmulPreference_t preference;
	size_t workspace_bytes = WORKSPACE_BYTES;
	int count = 0;

	TRY(cublasLtMatmulPreferenceCreate(&preference));
	TRY(cublasLtMatmulPreferenceSetAttribute(preference,
		CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
		sizeof(workspace_bytes)));
	TRY(cublasLtMatmulAlgoGetHeuristic(gpu->cublas, product->how, product->a_layout,
		product->b_layout, product->c_layout, product->c_layout, preference, ALGORITHMS,
		found, &count));
	TRY(cublasLtMatmulPreferenceDestroy(preference));
	for (int i = 0; i < count; i++) {
		int tile = 0;

		cublasLtMatmulAlgoConfigGetAttribute(
			&found[i].algo, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile, sizeof(tile), NULL);
		if (wanted_tile && tile != wanted_tile)
			continue;
		product->algorithm = found[i].algo;
		return true;
	}
	return false;
}

/* A product of random numbers, computed by the algorithm that cuBLASLt thinks best. */
static struct product product_of(struct gpu *gpu, int m, int n, int k)
{
	const cublasOperation_t transposed = CUBLAS_OP_T;
	const size_t bytes = sizeof(uint16_t);
	struct product product = {};

	TRY(cublasLtMatmulDescCreate(&product.how, CUBLAS_COMPUTE_32F, CUDA_R_32F));
	TRY(cublasLtMatmulDescSetAttribute(product.how, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
		sizeof(transposed)));
	TRY(cublasLtMatrixLayoutCreate(&product.a_layout, CUDA_R_16BF, k, m, k));
	TRY(cublasLtMatrixLayoutCreate(&product.b_layout, CUDA_R_16BF, k, n, k));
	TRY(cublasLtMatrixLayoutCreate(&product.c_layout, CUDA_R_16BF, m, n, m));
	product.a = (uint16_t *)gpu_memory(bytes * m * k);
	product.b = (uint16_t *)gpu_memory(bytes * k * n);
	product.c = (uint16_t *)gpu_memory(bytes * m * n);
	fill(gpu, product.a, bytes * m * k);
	fill(gpu, product.b, bytes * k * n);
	if (!choose(gpu, &product, 0)) {
		fprintf(stderr, "cuda-power-limit: cuBLASLt has no algorithm for %d x %d x %d\n", m,
			n, k);
		exit(1);
	}
	return product;
}

static void multiply(struct gpu *gpu, const struct product *product, cudaStream_t stream)
{
	const float one = 1, zero = 0;

	TRY(cublasLtMatmul(gpu->cublas, product->how, &one, product->a, product->a_layout,
		product->b, product->b_layout, &zero, product->c, product->c_layout, product->c,
		product->c_layout, &product->algorithm, gpu->workspace, WORKSPACE_BYTES, stream));
	gpu->launches++;
}

static void read(struct gpu *gpu, cudaStream_t stream)
{
	read_memory<<<2048, 512, 0, stream>>>(gpu->read, READ_BYTES / sizeof(float4), gpu->sum);
	gpu->launches++;
}

static void launch(struct gpu *gpu, const struct product *product, int stream, int count)
{
	pwrtrace::range layer(product ? "product" : "read");

	for (int i = 0; i < count; i++) {
		if (product)
			multiply(gpu, product, gpu->streams[stream]);
		else
			read(gpu, gpu->streams[stream]);
	}
}

/* How long one product, or one read, takes alone. */
static double duration_ms(struct gpu *gpu, const struct product *product)
{
	const int count = 20;
	cudaEvent_t begin, end;
	float ms;

	TRY(cudaEventCreate(&begin));
	TRY(cudaEventCreate(&end));
	launch(gpu, product, 0, count);
	TRY(cudaEventRecord(begin, gpu->streams[0]));
	launch(gpu, product, 0, count);
	TRY(cudaEventRecord(end, gpu->streams[0]));
	TRY(cudaEventSynchronize(end));
	TRY(cudaEventElapsedTime(&ms, begin, end));
	TRY(cudaEventDestroy(begin));
	TRY(cudaEventDestroy(end));
	return ms / count;
}

/* What the command line asks for: patterns whose layer contains the text. */
struct wish {
	double seconds; /* of each */
	const char *text;
};

/* Runs a pattern, where it is wanted.  Products and reads alternate, four turns in a batch. */
static void run(struct gpu *gpu, const struct pattern *pattern, const struct wish *wish)
{
	const bool at_once = pattern->share < 0;
	const double share = at_once ? 0.5 : pattern->share;
	const double turn_ms = BATCH_MS / 4.;
	double product_ms, read_ms, end_s;
	int products, reads, done = 0;

	if (!strstr(pattern->layer, wish->text))
		return;
	{
		pwrtrace::range layer("calibration");

		product_ms = duration_ms(gpu, pattern->product);
		read_ms = duration_ms(gpu, NULL);
	}
	products = (int)(share * turn_ms / product_ms + 0.5);
	reads = (int)((1 - share) * turn_ms / read_ms + 0.5);
	pwrtrace::range layer(pattern->layer);

	end_s = now_s() + wish->seconds;
	for (int batch = 0; now_s() < end_s; batch ^= 1) {
		TRY(cudaEventSynchronize(gpu->batch_ends[batch]));
		for (int turn = 0; turn < 4; turn++, done += products) {
			launch(gpu, pattern->product, 0, products);
			launch(gpu, NULL, at_once, reads);
		}
		if (at_once) { /* the batch ends with the later of the two streams */
			TRY(cudaEventRecord(gpu->batch_ends[batch], gpu->streams[1]));
			TRY(cudaStreamWaitEvent(gpu->streams[0], gpu->batch_ends[batch], 0));
		}
		TRY(cudaEventRecord(gpu->batch_ends[batch], gpu->streams[0]));
	}
	TRY(cudaDeviceSynchronize());
	pwrtrace_mark("products", done, "product");
}

/* The product of the talk, by two tiles. */
static void run_tiles(struct gpu *gpu, const struct wish *wish)
{
	static const struct {
		const char *layer;
		cublasLtMatmulTile_t tile;
	} tiles[] = {
		{"tile 128x128", CUBLASLT_MATMUL_TILE_128x128},
		{"tile 128x256", CUBLASLT_MATMUL_TILE_128x256},
	};
	struct product product = product_of(gpu, 1024, 128000, 1024);

	for (const auto &tile : tiles) {
		const struct pattern pattern = {tile.layer, &product, 1};

		if (choose(gpu, &product, tile.tile))
			run(gpu, &pattern, wish);
		else
			printf("%s: cuBLASLt has no such algorithm here\n", tile.layer);
	}
}

int main(int argc, char **argv)
{
	const struct wish wish = {argc > 1 ? atof(argv[1]) : 3, argc > 2 ? argv[2] : ""};

	if (argc > 3 || !(wish.seconds > 0)) {
		fprintf(stderr, "usage: cuda-power-limit [SECONDS [PATTERN]]   of each pattern (3); "
				"only those whose name contains PATTERN\n");
		return 2;
	}

	struct gpu gpu = gpu_open();
	struct product random = product_of(&gpu, SIZE, SIZE, SIZE), zeros = random;
	const struct pattern patterns[] = {
		{"duty 100 %", &random, 1},
		{"duty 75 %", &random, 0.75},
		{"duty 50 %", &random, 0.5},
		{"duty 25 %", &random, 0.25},
		{"random numbers", &random, 1},
		{"zeros", &zeros, 1},
		{"one after another", &random, 0.5},
		{"at once", &random, -1},
	};
	const size_t bytes = sizeof(uint16_t) * SIZE * SIZE;

	zeros.a = (uint16_t *)gpu_memory(bytes);
	zeros.b = (uint16_t *)gpu_memory(bytes);
	TRY(cudaMemsetAsync(zeros.a, 0, bytes, gpu.streams[0]));
	TRY(cudaMemsetAsync(zeros.b, 0, bytes, gpu.streams[0]));
	for (const struct pattern &pattern : patterns)
		run(&gpu, &pattern, &wish);
	run_tiles(&gpu, &wish);
	printf("kernels=%lu\n", gpu.launches);
	return 0;
}
