/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of HIP's binary interface that we use, so that no vendor header is needed to
 * build.  Names and values are HIP's own; tests/abi/abi_hip.c compares them, and the prototypes of
 * hip.def, with the headers of HIP 5.2.  What later versions changed is said where it stands.
 */
#ifndef PWRTRACE_HIP_ABI_H
#define PWRTRACE_HIP_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t hipError_t;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef int hipMemcpyKind;
typedef int hipMemoryType;
typedef int hipDeviceAttribute_t;
typedef int hipFunction_attribute;
typedef int hipStreamCaptureStatus;
typedef int hipStreamCaptureMode;
typedef int hipGraphNodeType;
typedef int hipJitOption;
typedef int hipGraphExecUpdateResult;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipArray hipArray;
typedef hipArray *hipArray_t;
typedef const struct hipArray *hipArray_const_t;
typedef int hipMemAccessFlags;
typedef int hipMemAllocationHandleType;
typedef void *hipExternalMemory_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipMemGenericAllocationHandle *hipMemGenericAllocationHandle_t;
typedef struct hipMemPoolPtrExportData hipMemPoolPtrExportData;
typedef struct hipExternalMemoryHandleDesc_st hipExternalMemoryHandleDesc;
typedef struct _hipGraphicsResource *hipGraphicsResource_t;
typedef struct __hip_surface *hipSurfaceObject_t;
typedef struct hipResourceDesc hipResourceDesc;

/* CONSTANT(name, value) */
#define HIP_CONSTANTS(CONSTANT)                                                                    \
	CONSTANT(hipSuccess, 0)                                                                    \
	CONSTANT(hipErrorNotReady, 600)                                                            \
	CONSTANT(hipErrorNotFound, 500)                                                            \
	CONSTANT(hipErrorContextIsDestroyed, 709)                                                  \
	CONSTANT(hipStreamCaptureStatusNone, 0)                                                    \
	CONSTANT(hipStreamCaptureModeRelaxed, 2)                                                   \
	CONSTANT(hipStreamNonBlocking, 1)                                                          \
	CONSTANT(hipEventDefault, 0)                                                               \
	CONSTANT(hipMallocSignalMemory, 2)                                                         \
	CONSTANT(hipMemcpyHostToDevice, 1)                                                         \
	CONSTANT(hipMemcpyDeviceToHost, 2)                                                         \
	CONSTANT(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                          \
	CONSTANT(HIP_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                   \
	CONSTANT(hipDeviceAttributeMultiprocessorCount, 63)

/* Values that later versions changed: 5.2's, tests compare, and those since. */
#define HIP_CONSTANTS_5_2(CONSTANT)                                                                \
	CONSTANT(hipMemoryTypeHost, 0)                                                             \
	CONSTANT(hipMemoryTypeDevice, 1)                                                           \
	CONSTANT(hipGraphNodeTypeKernel, 1)                                                        \
	CONSTANT(hipGraphNodeTypeMemcpy, 2)                                                        \
	CONSTANT(hipGraphNodeTypeMemset, 3)                                                        \
	CONSTANT(hipGraphNodeTypeGraph, 5)

#ifndef PWRTRACE_ABI_TEST
enum hip_constant {
#define CONSTANT(name, value) name = value,
	HIP_CONSTANTS(CONSTANT) HIP_CONSTANTS_5_2(CONSTANT)
#undef CONSTANT
};
#endif

#define HIP_VERSION_5_3 50300000 /* graph nodes are counted from 0 */
#define HIP_VERSION_6_0                                                                            \
	60000000 /* hipMemoryTypes begin with 1, HIP_MEMCPY3D has fields of 64 bits */

typedef struct dim3 {
	uint32_t x, y, z;
} dim3;

typedef struct hipUUID_t {
	char bytes[16];
} hipUUID;

typedef struct hipLaunchParams_t {
	void *func;
	dim3 gridDim, blockDim;
	void **args;
	size_t sharedMem;
	hipStream_t stream;
} hipLaunchParams;

/* Since 5.5. */
typedef struct hipFunctionLaunchParams_t {
	hipFunction_t function;
	unsigned gridDimX, gridDimY, gridDimZ;
	unsigned blockDimX, blockDimY, blockDimZ;
	unsigned sharedMemBytes;
	hipStream_t hStream;
	void **kernelParams;
} hipFunctionLaunchParams;

/* Since 6.5, as the next one. */
typedef struct hipLaunchConfig_st {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	hipStream_t stream;
	void *attrs;
	unsigned numAttrs;
} hipLaunchConfig_t;

typedef struct HIP_LAUNCH_CONFIG_st {
	unsigned gridDimX, gridDimY, gridDimZ;
	unsigned blockDimX, blockDimY, blockDimZ;
	unsigned sharedMemBytes;
	hipStream_t hStream;
	void *attrs;
	unsigned numAttrs;
} HIP_LAUNCH_CONFIG;

typedef struct hipMemLocation {
	int type, id;
} hipMemLocation;

typedef struct hipMemAccessDesc {
	hipMemLocation location;
	hipMemAccessFlags flags;
} hipMemAccessDesc;

typedef struct {
	char reserved[64];
} hipIpcMemHandle_t;

typedef struct hipPointerAttribute_t {
	hipMemoryType memoryType;
	int device;
	void *devicePointer, *hostPointer;
	int isManaged;
	unsigned allocationFlags;
} hipPointerAttribute_t;

typedef struct hip_Memcpy2D {
	size_t srcXInBytes, srcY;
	hipMemoryType srcMemoryType;
	const void *srcHost;
	hipDeviceptr_t srcDevice;
	hipArray *srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	hipMemoryType dstMemoryType;
	void *dstHost;
	hipDeviceptr_t dstDevice;
	hipArray *dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} hip_Memcpy2D;

typedef struct hipExtent {
	size_t width, height, depth;
} hipExtent;

typedef struct hipPos {
	size_t x, y, z;
} hipPos;

typedef struct hipPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
} hipPitchedPtr;

typedef struct hipMemcpy3DParms {
	hipArray_t srcArray;
	struct hipPos srcPos;
	struct hipPitchedPtr srcPtr;
	hipArray_t dstArray;
	struct hipPos dstPos;
	struct hipPitchedPtr dstPtr;
	struct hipExtent extent;
	hipMemcpyKind kind;
} hipMemcpy3DParms;

/* Since 7.1. */
typedef struct hipMemcpy3DPeerParms {
	hipArray_t srcArray;
	hipPos srcPos;
	hipPitchedPtr srcPtr;
	int srcDevice;
	hipArray_t dstArray;
	hipPos dstPos;
	hipPitchedPtr dstPtr;
	int dstDevice;
	hipExtent extent;
} hipMemcpy3DPeerParms;

#define HIP_MEMCPY3D_FIELDS(number)                                                                \
	number srcXInBytes, srcY, srcZ, srcLOD;                                                    \
	hipMemoryType srcMemoryType;                                                               \
	const void *srcHost;                                                                       \
	hipDeviceptr_t srcDevice;                                                                  \
	hipArray_t srcArray;                                                                       \
	number srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;                               \
	hipMemoryType dstMemoryType;                                                               \
	void *dstHost;                                                                             \
	hipDeviceptr_t dstDevice;                                                                  \
	hipArray_t dstArray;                                                                       \
	number dstPitch, dstHeight, WidthInBytes, Height, Depth

typedef struct HIP_MEMCPY3D {
	HIP_MEMCPY3D_FIELDS(unsigned);
} HIP_MEMCPY3D;

struct hip_memcpy3d_6 {
	HIP_MEMCPY3D_FIELDS(size_t);
};

typedef struct hipFuncAttributes {
	int binaryVersion, cacheModeCA;
	size_t constSizeBytes, localSizeBytes;
	int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout;
	int ptxVersion;
	size_t sharedSizeBytes;
} hipFuncAttributes;

typedef struct hipKernelNodeParams {
	dim3 blockDim;
	void **extra;
	void *func;
	dim3 gridDim;
	void **kernelParams;
	unsigned sharedMemBytes;
} hipKernelNodeParams;

typedef struct hipMemsetParams {
	void *dst;
	unsigned elementSize;
	size_t height, pitch;
	unsigned value;
	size_t width;
} hipMemsetParams;

#endif
