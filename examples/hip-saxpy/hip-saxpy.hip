/* SPDX-License-Identifier: MIT */
/*
 * y = a x + y, computed in two ways, so that a report can tell what each of them costs: element by
 * element, and four at a time.
 */
#include <getopt.h>
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include <pwrtrace/pwrtrace.h>

#define BLOCK 256

#define TRY(call)                                                                                  \
	do {                                                                                       \
		hipError_t error_ = (call);                                                        \
		if (error_ != hipSuccess) {                                                        \
			fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error_));               \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

__global__ void saxpy(float a, const float *x, float *y, int count)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

	if (i < count)
		y[i] += a * x[i];
}

/* count is a multiple of 4. */
__global__ void saxpy_wide(float a, const float4 *x, float4 *y, int count)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

	if (i >= count / 4)
		return;
	float4 from = x[i], to = y[i];

	to.x += a * from.x;
	to.y += a * from.y;
	to.z += a * from.z;
	to.w += a * from.w;
	y[i] = to;
}

static int blocks(int threads)
{
	return (threads + BLOCK - 1) / BLOCK;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"size", required_argument, NULL, 'n'},
		{"steps", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
	int size = 1 << 24, steps = 100, kernels = 0, option;
	float *x, *y;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return 2;
		(option == 'n' ? size : steps) = atoi(optarg);
	}
	if (size <= 0 || size % 4 || steps <= 0) {
		fprintf(stderr, "hip-saxpy: --size must be a multiple of 4, --steps 1 or more\n");
		return 2;
	}
	std::vector<float> host(size, 1);

	TRY(hipMalloc(&x, size * sizeof(float)));
	TRY(hipMalloc(&y, size * sizeof(float)));
	pwrtrace_push("load");
	TRY(hipMemcpy(x, host.data(), size * sizeof(float), hipMemcpyHostToDevice));
	TRY(hipMemset(y, 0, size * sizeof(float)));
	pwrtrace_pop();
	pwrtrace_push("element by element");
	for (int i = 0; i < steps; i++, kernels++)
		saxpy<<<blocks(size), BLOCK>>>(2, x, y, size);
	TRY(hipDeviceSynchronize());
	pwrtrace_pop();
	pwrtrace_push("four at a time");
	for (int i = 0; i < steps; i++, kernels++)
		saxpy_wide<<<blocks(size / 4), BLOCK>>>(2, (const float4 *)x, (float4 *)y, size);
	TRY(hipDeviceSynchronize());
	pwrtrace_pop();
	pwrtrace_push("check");
	TRY(hipMemcpy(host.data(), y, size * sizeof(float), hipMemcpyDeviceToHost));
	pwrtrace_pop();
	printf("y = %g, kernels=%d memory=3\n", host[size - 1], kernels);
	TRY(hipFree(x));
	TRY(hipFree(y));
	return 0;
}
