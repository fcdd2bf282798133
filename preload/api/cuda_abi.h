/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of the CUDA driver's binary interface that we use, so that no vendor header
 * is needed to build.  Names and values are CUDA's own, opaque handles are plain pointers;
 * tests/abi/abi_cuda.c compares them with the real header.
 */
#ifndef PWRTRACE_CUDA_ABI_H
#define PWRTRACE_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t CUresult;
typedef int32_t CUdevice;
typedef uint64_t CUdeviceptr;
typedef void *CUcontext;
typedef void *CUstream;
typedef void *CUevent;
typedef void *CUfunction;
typedef void *CUarray;
typedef void *CUgraph;
typedef void *CUgraphNode;
typedef void *CUgraphExec;

/* CONSTANT(name, value) */
#define CUDA_CONSTANTS(CONSTANT)                                                                   \
	CONSTANT(CUDA_SUCCESS, 0)                                                                  \
	CONSTANT(CUDA_ERROR_NOT_FOUND, 500)                                                        \
	CONSTANT(CUDA_ERROR_NOT_READY, 600)                                                        \
	CONSTANT(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                             \
	CONSTANT(CU_EVENT_DEFAULT, 0)                                                              \
	CONSTANT(CU_STREAM_CAPTURE_STATUS_NONE, 0)                                                 \
	CONSTANT(CU_STREAM_CAPTURE_MODE_RELAXED, 2)                                                \
	CONSTANT(CU_STREAM_NON_BLOCKING, 1)                                                        \
	CONSTANT(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                           \
	CONSTANT(CU_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                    \
	CONSTANT(CU_GRAPH_NODE_TYPE_KERNEL, 0)                                                     \
	CONSTANT(CU_GRAPH_NODE_TYPE_MEMCPY, 1)                                                     \
	CONSTANT(CU_GRAPH_NODE_TYPE_MEMSET, 2)                                                     \
	CONSTANT(CU_GRAPH_NODE_TYPE_GRAPH, 4)                                                      \
	CONSTANT(CU_GRAPH_NODE_TYPE_MEM_ALLOC, 10)                                                 \
	CONSTANT(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2)                                               \
	CONSTANT(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4)                                         \
	CONSTANT(CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 5)                      \
	CONSTANT(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 7)                                        \
	CONSTANT(CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, 12)                                  \
	CONSTANT(CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, 13)                             \
	CONSTANT(CU_MEMORYTYPE_HOST, 1)                                                            \
	CONSTANT(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                     \
	CONSTANT(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)

#ifndef PWRTRACE_ABI_TEST
enum cuda_constant {
#define CONSTANT(name, value) name = value,
	CUDA_CONSTANTS(CONSTANT)
#undef CONSTANT
};
#endif

#ifndef PWRTRACE_ABI_TEST
/* A pointer, which no constant expression may compare. */
#define CU_STREAM_PER_THREAD ((CUstream)2)
#endif

typedef struct {
	uint8_t bytes[16];
} CUuuid;

typedef struct {
	uint8_t reserved[64];
} CUipcMemHandle;

typedef struct {
	int32_t location_type, location_id;
	uint32_t flags;
} CUmemAccessDesc;

typedef struct {
	int32_t id;
	uint32_t pad;
	uint64_t value[8];
} CUlaunchAttribute;

typedef struct {
	unsigned gridDimX, gridDimY, gridDimZ;
	unsigned blockDimX, blockDimY, blockDimZ;
	unsigned sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	unsigned numAttrs;
} CUlaunchConfig;

typedef struct {
	size_t srcXInBytes, srcY;
	uint32_t srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	uint32_t dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes;
	size_t Height;
} CUDA_MEMCPY2D;

/* Also CUDA_MEMCPY3D_PEER, whose contexts stand in place of the reserved fields. */
typedef struct {
	size_t srcXInBytes, srcY, srcZ, srcLOD;
	uint32_t srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	void *reserved0;
	size_t srcPitch, srcHeight;
	size_t dstXInBytes, dstY, dstZ, dstLOD;
	uint32_t dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	void *reserved1;
	size_t dstPitch, dstHeight;
	size_t WidthInBytes;
	size_t Height;
	size_t Depth;
} CUDA_MEMCPY3D;

/* Version 2; version 1 ends before kern. */
typedef struct {
	CUfunction func;
	unsigned gridDimX, gridDimY, gridDimZ;
	unsigned blockDimX, blockDimY, blockDimZ;
	unsigned sharedMemBytes;
	void **kernelParams;
	void **extra;
	void *kern;
	CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct {
	CUdeviceptr dst;
	size_t pitch;
	unsigned value;
	unsigned elementSize;
	size_t width;
	size_t height;
} CUDA_MEMSET_NODE_PARAMS;

#endif
