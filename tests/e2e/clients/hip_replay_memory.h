/* SPDX-License-Identifier: MIT */
/* The cases of hip_replay.c that differ by the memory that there is, and how the program got it. */
#ifndef HIP_REPLAY_MEMORY_H
#define HIP_REPLAY_MEMORY_H

#include "hip_client.h"

#define ADDRESS hipDeviceptr_t
#define STREAM hipStream_t

#include "replays.h"

static void managed(void)
{
	CHECK(hipMallocManaged, &(void *){NULL}, BYTES, 1);
}

static void peer(void)
{
	CHECK(hipDeviceEnablePeerAccess, 1, 0);
}

static void access_of(int device)
{
	CHECK(hipMemSetAccess, values, BYTES, &(hipMemAccessDesc){{1, device}, 3}, 1);
}

static void own_access(void)
{
	access_of(0);
}

static void other_access(void)
{
	access_of(1);
}

static void shared(void)
{
	CHECK(hipIpcGetMemHandle, &(hipIpcMemHandle_t){{0}}, values);
}

static void surface(void)
{
	CHECK(_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc,
		&(hipSurfaceObject_t){NULL}, NULL);
}

static void *new_host_memory(size_t bytes)
{
	void *memory;

	CHECK(hipHostMalloc, &memory, bytes, 0);
	memset(memory, 0, bytes);
	return memory;
}

/* An argument of the kernels is the host's memory. */
static void host(void)
{
	values = words = new_host_memory(VALUES * sizeof(float));
}

/* Device memory has an address of the program's own. */
static void registered(void)
{
	static char memory[BYTES] __attribute__((aligned(8)));
	static uint64_t *inner = (uint64_t *)memory + 7;

	CHECK(hipHostRegister, memory, sizeof(memory), 0);
	write_to((char *)words + 8, &inner, sizeof(inner));
}

/* There is host memory, and nothing leads to it. */
static void unreached(void)
{
	CHECK(hipHostFree, new_host_memory(BYTES));
	new_host_memory(BYTES);
}

/* Nothing leads there. */
static void large(void)
{
	allocate((size_t)1 << 44);
}

/* Keeps addresses where the kernel that counts can reach them. */
static void keep(void *const *addresses, size_t count)
{
	write_to((char *)words + sizeof(uint64_t), addresses, count * sizeof(*addresses));
}

static void freed(void)
{
	void *memory[3] = {allocate((size_t)1 << 44)};

	CHECK(hipFree, memory[0]);
	CHECK(hipMallocAsync, &memory[1], (size_t)1 << 44, NULL);
	CHECK(hipFreeAsync, memory[1], NULL);
	memory[2] = allocate(BYTES);
	CHECK(hipFree, memory[2]);
	CHECK(hipMemMap, memory[2], BYTES, 0, NULL, 0);
	CHECK(hipMemUnmap, memory[2], BYTES);
	keep(memory, COUNT_OF(memory));
}

/* By every call: each is saved. */
static void allocations(void)
{
	hipPitchedPtr pitched;
	void *memory[6];
	size_t pitch;

	CHECK(hipExtMallocWithFlags, &memory[0], BYTES, 0);
	CHECK(hipMallocPitch, &memory[1], &pitch, 64, 8);
	CHECK(hipMemAllocPitch, &memory[2], &pitch, 64, 8, 4);
	CHECK(hipMalloc3D, &pitched, (hipExtent){64, 8, 4});
	memory[3] = pitched.ptr;
	CHECK(hipMallocAsync, &memory[4], BYTES, NULL);
	CHECK(hipMallocFromPoolAsync, &memory[5], BYTES, NULL, NULL);
	keep(memory, COUNT_OF(memory));
}

/* Of the host's, by every call: nothing leads there. */
static void host_allocations(void)
{
	void *memory;

	CHECK(hipExtMallocWithFlags, &memory, BYTES, hipMallocSignalMemory);
	CHECK(hipMallocHost, &memory, BYTES);
	CHECK(hipFreeHost, memory);
	CHECK(hipMemAllocHost, &memory, BYTES);
	CHECK(hipHostAlloc, &memory, BYTES, 0);
	CHECK(hipHostRegister, memory, BYTES, 0);
	CHECK(hipHostUnregister, memory);
}

#endif
