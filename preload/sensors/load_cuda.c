/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "preload/api/cuda_abi.h"
#include "preload/sensors/library.h"
#include "preload/sensors/load.h"
#include "pwrtrace/kernels.h"

#define LIBRARY "libcuda.so.1"

/* Every multiprocessor that runs PTX can hold as many threads, so that all blocks run at once. */
#define BLOCK_THREADS 256
#define BLOCKS_PER_MULTIPROCESSOR 4

#define FOUR(text) text text text text
#define MULTIPLY_ADD                                                                               \
	"fma.rn.f32 %a0, %a0, %factor, %term;\n"                                                   \
	"fma.rn.f32 %a1, %a1, %factor, %term;\n"                                                   \
	"fma.rn.f32 %a2, %a2, %factor, %term;\n"                                                   \
	"fma.rn.f32 %a3, %a3, %factor, %term;\n"

/*
 * Multiplies and adds until so many nanoseconds have passed.  Four chains per thread keep the
 * pipes full; 1024 steps lie between two looks at the clock, which is slow to read.  The
 * sum is stored where it is what it never is, so that nothing is left out.
 */
static const char kernel_source[] =
	".version 6.0\n"
	".target sm_50\n"
	".address_size 64\n"
	".visible .entry " PWRTRACE_LOAD_KERNEL "(.param .u64 duration_ns, .param .u64 result)\n"
	"{\n"
	".reg .pred %more;\n"
	".reg .u32 %thread, %round;\n"
	".reg .u64 %begin, %now, %duration, %result;\n"
	".reg .f32 %a0, %a1, %a2, %a3, %factor, %term;\n"
	"ld.param.u64 %duration, [duration_ns];\n"
	"ld.param.u64 %result, [result];\n"
	"mov.u64 %begin, %globaltimer;\n"
	"mov.u32 %thread, %tid.x;\n"
	"cvt.rn.f32.u32 %a0, %thread;\n"
	"add.f32 %a1, %a0, 0f3F800000;\n"
	"add.f32 %a2, %a1, 0f3F800000;\n"
	"add.f32 %a3, %a2, 0f3F800000;\n"
	"mov.f32 %factor, 0f3F7FBE77;\n" /* 0.999 */
	"mov.f32 %term, 0f3F9D70A4;\n"   /* 1.23 */
	"again:\n"
	"mov.u32 %round, 16;\n"
	"step:\n" FOUR(FOUR(MULTIPLY_ADD)) "sub.u32 %round, %round, 1;\n"
					   "setp.ne.u32 %more, %round, 0;\n"
					   "@%more bra step;\n"
					   "mov.u64 %now, %globaltimer;\n"
					   "sub.u64 %now, %now, %begin;\n"
					   "setp.lt.u64 %more, %now, %duration;\n"
					   "@%more bra again;\n"
					   "add.f32 %a0, %a0, %a1;\n"
					   "add.f32 %a2, %a2, %a3;\n"
					   "add.f32 %a0, %a0, %a2;\n"
					   "setp.eq.f32 %more, %a0, 0fC2F60000;\n"
					   "@%more st.global.f32 [%result], %a0;\n"
					   "ret;\n"
					   "}\n";

struct cuda_functions {
#define FUNCTION(name, params) CUresult(*name) params;
#include "preload/sensors/load_cuda.def"
#undef FUNCTION
};

static const char *const names[] = {
#define FUNCTION(name, params) #name,
#include "preload/sensors/load_cuda.def"
#undef FUNCTION
};

static struct {
	struct cuda_functions call;
	CUdevice device;
	CUfunction kernel;
	CUdeviceptr result;
	unsigned blocks;
} cuda;

/* Calls a function of the driver.  Evaluates to whether it failed, with a line in why. */
#define FAILS(name, ...) fails(#name, cuda.call.name(__VA_ARGS__), why)

static int fails(const char *call, CUresult result, char *why)
{
	if (result != CUDA_SUCCESS)
		snprintf(why, LOAD_WHY_MAX, "%s failed with error %d; nvidia-smi may tell more",
			call, (int)result);
	return result != CUDA_SUCCESS;
}

static int open_cuda(char *why)
{
	int devices = 0;

	if (library_open(LIBRARY, names, sizeof(names) / sizeof(*names), &cuda.call,
		    "NVIDIA's driver", why) ||
		FAILS(cuInit, 0) || FAILS(cuDeviceGetCount, &devices))
		return -1;
	if (devices)
		return devices;
	snprintf(why, LOAD_WHY_MAX, "CUDA has no device; CUDA_VISIBLE_DEVICES may hide them");
	return -1;
}

static int begin_cuda(int device, char *name, char *why)
{
	CUcontext context;
	void *module;
	int multiprocessors;

	if (FAILS(cuDeviceGet, &cuda.device, device) ||
		FAILS(cuDeviceGetName, name, LOAD_NAME_MAX, cuda.device) ||
		FAILS(cuDeviceGetAttribute, &multiprocessors,
			CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, cuda.device) ||
		FAILS(cuDevicePrimaryCtxRetain, &context, cuda.device))
		return -1;
	cuda.blocks = (unsigned)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
	if (FAILS(cuCtxSetCurrent, context) || FAILS(cuModuleLoadData, &module, kernel_source) ||
		FAILS(cuModuleGetFunction, &cuda.kernel, module, PWRTRACE_LOAD_KERNEL) ||
		FAILS(cuMemAlloc_v2, &cuda.result, sizeof(float))) {
		cuda.call.cuDevicePrimaryCtxRelease_v2(cuda.device);
		return -1;
	}
	return 0;
}

static int run_cuda(uint64_t duration_ns, char *why)
{
	void *arguments[] = {&duration_ns, &cuda.result};

	return FAILS(cuLaunchKernel, cuda.kernel, cuda.blocks, 1, 1, BLOCK_THREADS, 1, 1, 0, NULL,
		       arguments, NULL) ||
			       FAILS(cuCtxSynchronize)
		       ? -1
		       : 0;
}

/* With its context go its module and memory. */
static void end_cuda(void)
{
	cuda.call.cuDevicePrimaryCtxRelease_v2(cuda.device);
}

const struct load_api load_cuda = {
	.name = "cuda",
	.open = open_cuda,
	.begin = begin_cuda,
	.run = run_cuda,
	.end = end_cuda,
};
