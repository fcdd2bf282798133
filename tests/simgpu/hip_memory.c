/* SPDX-License-Identifier: MIT */
/* Memory. */
#include <stdlib.h>

#include "tests/simgpu/hip_parts.h"

/* Allocates on the device that the thread uses. */
#define ALLOCATE(call)                                                                             \
	(hip_returned(hip_use_device() == CUDA_SUCCESS ? (call) : CUDA_ERROR_NO_DEVICE))

hipError_t hipMalloc(void **memory, size_t bytes)
{
	return ALLOCATE(cuMemAlloc_v2((CUdeviceptr *)memory, bytes));
}

hipError_t hipExtMallocWithFlags(void **memory, size_t bytes, unsigned flags)
{
	return flags & hipMallocSignalMemory ? hipHostMalloc(memory, bytes, 0)
					     : hipMalloc(memory, bytes);
}

hipError_t hipMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
	return hipMemAllocPitch(memory, pitch, width, height, 1);
}

hipError_t hipMemAllocPitch(
	hipDeviceptr_t *memory, size_t *pitch, size_t width, size_t height, unsigned element_bytes)
{
	return ALLOCATE(
		cuMemAllocPitch_v2((CUdeviceptr *)memory, pitch, width, height, element_bytes));
}

hipError_t hipMalloc3D(hipPitchedPtr *memory, hipExtent extent)
{
	memory->xsize = extent.width;
	memory->ysize = extent.height;
	return hipMallocPitch(
		&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}

hipError_t hipMallocAsync(void **memory, size_t bytes, hipStream_t stream)
{
	return ALLOCATE(cuMemAllocAsync((CUdeviceptr *)memory, bytes, stream));
}

hipError_t hipMallocFromPoolAsync(
	void **memory, size_t bytes, hipMemPool_t pool, hipStream_t stream)
{
	(void)pool;
	return hipMallocAsync(memory, bytes, stream);
}

hipError_t hipMemMap(void *memory, size_t bytes, size_t offset,
	hipMemGenericAllocationHandle_t handle, unsigned long long flags)
{
	return hip_returned(cuMemMap((CUdeviceptr)memory, bytes, offset, (uintptr_t)handle, flags));
}

hipError_t hipMemUnmap(void *memory, size_t bytes)
{
	return hip_returned(cuMemUnmap((CUdeviceptr)memory, bytes));
}

hipError_t hipMallocManaged(void **memory, size_t bytes, unsigned flags)
{
	return ALLOCATE(cuMemAllocManaged((CUdeviceptr *)memory, bytes, flags));
}

hipError_t hipHostMalloc(void **memory, size_t bytes, unsigned flags)
{
	return ALLOCATE(cuMemHostAlloc(memory, bytes, flags));
}

hipError_t hipHostAlloc(void **memory, size_t bytes, unsigned flags)
{
	return hipHostMalloc(memory, bytes, flags);
}

hipError_t hipMallocHost(void **memory, size_t bytes)
{
	return hipHostMalloc(memory, bytes, 0);
}

hipError_t hipMemAllocHost(void **memory, size_t bytes)
{
	return hipHostMalloc(memory, bytes, 0);
}

hipError_t hipHostRegister(void *memory, size_t bytes, unsigned flags)
{
	return ALLOCATE(cuMemHostRegister_v2(memory, bytes, flags));
}

hipError_t hipHostUnregister(void *memory)
{
	return hip_returned(cuMemHostUnregister(memory));
}

hipError_t hipFree(void *memory)
{
	return hip_returned(cuMemFree_v2((CUdeviceptr)memory));
}

hipError_t hipFreeAsync(void *memory, hipStream_t stream)
{
	(void)stream;
	return hipFree(memory);
}

hipError_t hipHostFree(void *memory)
{
	return hipFree(memory);
}

hipError_t hipFreeHost(void *memory)
{
	return hipFree(memory);
}

hipError_t hipHostGetDevicePointer(void **address, void *memory, unsigned flags)
{
	(void)flags;
	*address = getenv("SIMGPU_HIP_FAR") ? (char *)memory + ((uintptr_t)1 << 46) : memory;
	return hip_returned(hipSuccess);
}

hipError_t hipMemGetInfo(size_t *bytes, size_t *total)
{
	return hip_returned(cuMemGetInfo_v2(bytes, total));
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *memory, size_t *bytes, hipDeviceptr_t address)
{
	return hip_returned(
		cuMemGetAddressRange_v2((CUdeviceptr *)memory, bytes, (CUdeviceptr)address));
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *memory)
{
	const struct sim_block *block = sim_block_of((uintptr_t)memory);
	int first = hipMemoryTypeHost + (hip_sim_version() >= HIP_VERSION_6_0);

	if (!block)
		return hip_returned(CUDA_ERROR_INVALID_VALUE);
	*attributes = (hipPointerAttribute_t){.device = block->ordinal,
		.memoryType = first + (block->kind == SIM_DEVICE_MEMORY),
		.isManaged = block->kind == SIM_MANAGED_MEMORY};
	return hip_returned(hipSuccess);
}
