/* SPDX-License-Identifier: MIT */
/* What the HIP test programs share: they call what tests/simgpu/hip_sim.h simulates. */
#ifndef HIP_CLIENT_H
#define HIP_CLIENT_H

#include "common.h"
#include "tests/simgpu/hip_sim.h"

/* Kernels by their durations in nanoseconds. */
#define SHORT "_Z5shortILm2000EEvv"
#define ADD "_Z3addILm15000EEvPff"

#define BYTES 4096
#define PER_THREAD ((hipStream_t)2)

static inline void check(hipError_t error, const char *what)
{
	if (error != hipSuccess)
		fail("%s failed with HIP error %d", what, error);
}

static inline void count(enum kind kind, hipError_t error, const char *function)
{
	check(error, function);
	started[kind]++;
}

#define CHECK(function, ...) check(function(__VA_ARGS__), #function)
#define ENQUEUE(kind, function, ...) count(kind, function(__VA_ARGS__), #function)

/* What a compiler puts into a program for each of its kernels. */
static inline void register_kernel(const void *symbol, const char *name)
{
	static const char image[1];

	__hipRegisterFunction(
		__hipRegisterFatBinary(image), symbol, NULL, name, 0, NULL, NULL, NULL, NULL, NULL);
}

static inline hipFunction_t get_kernel(const char *name)
{
	hipFunction_t function;
	hipModule_t module;

	CHECK(hipModuleLoadData, &module, "");
	CHECK(hipModuleGetFunction, &function, module, name);
	return function;
}

static inline hipStream_t new_stream(void)
{
	hipStream_t stream;

	CHECK(hipStreamCreate, &stream);
	return stream;
}

static inline hipEvent_t new_event(void)
{
	hipEvent_t event;

	CHECK(hipEventCreate, &event);
	return event;
}

static inline void *new_memory(void)
{
	void *memory;

	CHECK(hipMalloc, &memory, BYTES);
	return memory;
}

static inline void launch(const void *symbol, hipStream_t stream, unsigned long times)
{
	for (unsigned long i = 0; i < times; i++)
		ENQUEUE(KERNEL, hipLaunchKernel, symbol, (dim3){2, 1, 1}, (dim3){64, 1, 1}, NULL, 0,
			stream);
}

#endif
