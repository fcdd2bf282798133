/* SPDX-License-Identifier: MIT */
/*
 * Launches kernels as compiled programs do: <<<>>> and what the headers of HIP make of their calls.
 * Prints how many.  Kernels run for as long as their template's argument says, on virtual GPUs.
 */
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                  \
	do {                                                                                       \
		hipError_t error_ = (call);                                                        \
		if (error_ != hipSuccess) {                                                        \
			printf("%s: %s\n", #call, hipGetErrorName(error_));                        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

template <unsigned long ns> __global__ void spin(float *to)
{
	extern __shared__ float shared[];

	shared[threadIdx.x] = ns;
	to[threadIdx.x] = shared[threadIdx.x];
}

/* Needs shared memory, and more registers than there are. */
template <unsigned long ns> __global__ void greedy(float *to)
{
	__shared__ float shared[64];
	float own[300];

	for (int i = 0; i < 300; i++)
		own[i] = to[i * ns];
	shared[threadIdx.x % 64] = own[(int)to[0] % 300];
	__syncthreads();
	for (int i = 0; i < 300; i++)
		to[i] = own[i * 7 % 300] + shared[i % 64];
}

__device__ float constant[4];

int main()
{
	int kernels = 0, reads = 0, writes = 0, fills = 0, devices;
	static float host[4];
	hipModule_t module;
	hipFunction_t function;
	hipStream_t stream;
	float *memory;

	TRY(hipGetDeviceCount(&devices));
	TRY(hipMalloc(&memory, 4096));
	TRY(hipStreamCreate(&stream));
	for (int i = 0; i < 50; i++) {
		spin<2000><<<dim3(3, 2), dim3(32, 2), 256>>>(memory);
		spin<3000><<<7, 64, 0, stream>>>(memory);
		hipLaunchKernelGGL(spin<4000>, dim3(2), dim3(128), 64, stream, memory);
		hipExtLaunchKernelGGL(
			spin<5000>, dim3(2), dim3(128), 0, stream, nullptr, nullptr, 0, memory);
		void *values[] = {&memory};
		TRY(hipLaunchCooperativeKernel((void *)spin<2000>, dim3(1), dim3(64), values, 0, stream));
		greedy<6000><<<2, 64, 128, stream>>>(memory);
		kernels += 6;
	}
	TRY(hipModuleLoadData(&module, host));
	TRY(hipModuleGetFunction(&function, module, "_Z4spinILm6000EEvPf"));
	/* C++'s own, by its mangled name. */
	TRY(hipExtModuleLaunchKernel(
		function, 256, 1, 1, 64, 1, 1, 0, stream, nullptr, nullptr, nullptr, nullptr, 0));
	kernels++;
	TRY(hipMemcpyToSymbol(HIP_SYMBOL(constant), host, sizeof(host)));
	TRY(hipMemcpyAsync(memory, host, sizeof(host), hipMemcpyHostToDevice, stream));
	TRY(hipMemsetAsync(memory, 0, 4096, stream));
	TRY(hipMemcpy(host, memory, sizeof(host), hipMemcpyDeviceToHost));
	writes += 2, fills++, reads++;
	TRY(hipDeviceSynchronize());
	printf("kernels=%d copies=0 fills=%d reads=%d writes=%d migrates=0\n", kernels, fills, reads,
		writes);
	return 0;
}
