/* SPDX-License-Identifier: MIT */
/* The cases of cuda_replay.c that differ by the memory that there is, and how the program got it.
 */
#ifndef CUDA_REPLAY_MEMORY_H
#define CUDA_REPLAY_MEMORY_H

#include "cuda_client.h"

#define ADDRESS CUdeviceptr
#define STREAM CUstream

#include "replays.h"

static CUcontext context;

static void managed(void)
{
	CHECK(cuMemAllocManaged, &(CUdeviceptr){0}, BYTES, 1);
}

static void peer(void)
{
	CHECK(cuCtxEnablePeerAccess, context, 0);
}

static void shared(void)
{
	CHECK(cuIpcGetMemHandle, &(CUipcMemHandle){{0}}, values);
}

static void surface(void)
{
	CHECK(cuSurfObjectCreate, &(uint64_t){0}, NULL);
}

/* An argument of the kernels is the host's memory. */
static void host(void)
{
	void *memory;

	CHECK(cuMemAllocHost_v2, &memory, VALUES * sizeof(float));
	memset(memory, 0, VALUES * sizeof(float));
	values = words = (CUdeviceptr)memory;
}

/* Device memory has an address of the host's, and other memory is no multiple of an address. */
static void pointed(void)
{
	void *memory;

	allocate(sizeof(uint32_t));
	CHECK(cuMemAllocHost_v2, &memory, BYTES);
	write_to(words + 8, &memory, sizeof(memory));
}

/* There is host memory, and nothing leads to it. */
static void unreached(void)
{
	void *memory;

	CHECK(cuMemAllocHost_v2, &memory, BYTES);
	CHECK(cuMemFreeHost, memory);
	CHECK(cuMemAllocHost_v2, &memory, BYTES);
}

static void large(void)
{
	CHECK(cuMemAlloc_v2, &(CUdeviceptr){0}, (size_t)1 << 44);
}

static void freed(void)
{
	CUdeviceptr memory;

	CHECK(cuMemAlloc_v2, &memory, (size_t)1 << 44);
	CHECK(cuMemFree_v2, memory);
	CHECK(cuMemAllocAsync, &memory, (size_t)1 << 44, NULL);
	CHECK(cuMemFreeAsync, memory, NULL);
}

#endif
