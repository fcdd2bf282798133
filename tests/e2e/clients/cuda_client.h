/* SPDX-License-Identifier: MIT */
/* What the CUDA test programs share: they call the driver's API, which tests/simgpu/ simulates. */
#ifndef CUDA_CLIENT_H
#define CUDA_CLIENT_H

#include "common.h"
#include "tests/simgpu/cuda_sim.h"

/* Kernels by their durations in nanoseconds. */
#define SHORT "_Z5shortILm2000EEvv"
#define LONG "_Z4longILm30000000EEvv"
#define ADD "_Z3addILm15000EEvPff"

#define BYTES 4096

static inline void check(CUresult error, const char *what)
{
	if (error != CUDA_SUCCESS)
		fail("%s failed with CUDA error %d", what, error);
}

static inline void count(enum kind kind, CUresult error, const char *function)
{
	check(error, function);
	started[kind]++;
}

#define CHECK(function, ...) check(function(__VA_ARGS__), #function)
#define ENQUEUE(kind, function, ...) count(kind, function(__VA_ARGS__), #function)

/* Makes the primary context of a device current. */
static inline CUcontext open_device(int ordinal)
{
	CUcontext context;
	CUdevice device;

	CHECK(cuInit, 0);
	CHECK(cuDeviceGet, &device, ordinal);
	CHECK(cuDevicePrimaryCtxRetain, &context, device);
	CHECK(cuCtxSetCurrent, context);
	return context;
}

static inline void *load_module(void)
{
	void *module;

	CHECK(cuModuleLoadData, &module, "");
	return module;
}

static inline CUfunction get_kernel(void *module, const char *name)
{
	CUfunction function;

	CHECK(cuModuleGetFunction, &function, module, name);
	return function;
}

static inline CUstream new_stream(void)
{
	CUstream stream;

	CHECK(cuStreamCreate, &stream, 0);
	return stream;
}

static inline CUevent new_event(void)
{
	CUevent event;

	CHECK(cuEventCreate, &event, 0);
	return event;
}

static inline CUdeviceptr new_memory(void)
{
	CUdeviceptr memory;

	CHECK(cuMemAlloc_v2, &memory, BYTES);
	return memory;
}

static inline CUresult try_launch(CUfunction kernel, CUstream stream, unsigned block)
{
	return cuLaunchKernel(kernel, 2, 1, 1, block, 1, 1, 0, stream, NULL, NULL);
}

static inline void launch(CUfunction kernel, CUstream stream, unsigned long times)
{
	for (unsigned long i = 0; i < times; i++)
		ENQUEUE(KERNEL, try_launch, kernel, stream, 64);
}

static inline void fill(CUdeviceptr memory, CUstream stream)
{
	ENQUEUE(FILL, cuMemsetD8Async, memory, 0, BYTES, stream);
}

#endif
