/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/api/cuda_abi.h, cupti_abi.h, cuda.def and cupti.def with NVIDIA's own headers,
 * where these are installed: that this file compiles is the test.  Opaque handles are
 * plain pointers on our side, so that prototypes are not compared, but for the callback ids of
 * their functions.
 */
#if __has_include(<cuda.h>) && __has_include(<cupti.h>)

/* Ours, under names of their own. */
#define PWRTRACE_ABI_TEST
#define CUresult ours_CUresult
#define CUdevice ours_CUdevice
#define CUdeviceptr ours_CUdeviceptr
#define CUcontext ours_CUcontext
#define CUstream ours_CUstream
#define CUevent ours_CUevent
#define CUfunction ours_CUfunction
#define CUarray ours_CUarray
#define CUgraphExec ours_CUgraphExec
#define CUuuid ours_CUuuid
#define CUlaunchConfig ours_CUlaunchConfig
#define CUlaunchAttribute ours_CUlaunchAttribute
#define CUmemAccessDesc ours_CUmemAccessDesc
#define CUipcMemHandle ours_CUipcMemHandle
#define CUDA_MEMCPY2D ours_CUDA_MEMCPY2D
#define CUDA_MEMCPY3D ours_CUDA_MEMCPY3D
#define CUgraph ours_CUgraph
#define CUgraphNode ours_CUgraphNode
#define CUDA_KERNEL_NODE_PARAMS ours_CUDA_KERNEL_NODE_PARAMS
#define CUDA_MEMSET_NODE_PARAMS ours_CUDA_MEMSET_NODE_PARAMS
#define CUptiResult ours_CUptiResult
#define CUpti_SubscriberHandle ours_CUpti_SubscriberHandle
#define CUpti_CallbackFunc ours_CUpti_CallbackFunc
#define CUpti_BuffersCallbackRequestFunc ours_CUpti_BuffersCallbackRequestFunc
#define CUpti_BuffersCallbackCompleteFunc ours_CUpti_BuffersCallbackCompleteFunc
#define CUpti_CallbackData ours_CUpti_CallbackData
#define CUpti_ResourceData ours_CUpti_ResourceData
#define CUpti_GraphData ours_CUpti_GraphData
#define CUpti_Activity ours_CUpti_Activity
#include "preload/api/cuda_abi.h"
#include "preload/api/cupti_abi.h"
#undef CUresult
#undef CUdevice
#undef CUdeviceptr
#undef CUcontext
#undef CUstream
#undef CUevent
#undef CUfunction
#undef CUarray
#undef CUgraphExec
#undef CUuuid
#undef CUlaunchConfig
#undef CUlaunchAttribute
#undef CUmemAccessDesc
#undef CUipcMemHandle
#undef CUDA_MEMCPY2D
#undef CUDA_MEMCPY3D
#undef CUgraph
#undef CUgraphNode
#undef CUDA_KERNEL_NODE_PARAMS
#undef CUDA_MEMSET_NODE_PARAMS
#undef CUptiResult
#undef CUpti_SubscriberHandle
#undef CUpti_CallbackFunc
#undef CUpti_BuffersCallbackRequestFunc
#undef CUpti_BuffersCallbackCompleteFunc
#undef CUpti_CallbackData
#undef CUpti_ResourceData
#undef CUpti_GraphData
#undef CUpti_Activity

#include <cuda.h>
#include <cupti.h>
/* A row names the function itself, not the newest of its versions. */
#undef cuMemcpyBatchAsync
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
#undef cuGraphExecKernelNodeSetParams
#undef cuMemcpy3DBatchAsync

#define CONSTANT(name, value) _Static_assert((int)(name) == (value), #name);
CUDA_CONSTANTS(CONSTANT)
CUPTI_CONSTANTS(CONSTANT)

#define TYPE(name) _Static_assert(sizeof(ours_##name) == sizeof(name), #name);
TYPE(CUresult)
TYPE(CUdevice)
TYPE(CUdeviceptr)
TYPE(CUcontext)
TYPE(CUstream)
TYPE(CUevent)
TYPE(CUfunction)
TYPE(CUarray)
TYPE(CUgraphExec)
TYPE(CUuuid)
TYPE(CUlaunchConfig)
TYPE(CUlaunchAttribute)
TYPE(CUmemAccessDesc)
TYPE(CUipcMemHandle)
TYPE(CUDA_MEMCPY2D)
TYPE(CUDA_MEMCPY3D)
TYPE(CUgraph)
TYPE(CUgraphNode)
TYPE(CUDA_KERNEL_NODE_PARAMS)
TYPE(CUDA_MEMSET_NODE_PARAMS)
TYPE(CUptiResult)
TYPE(CUpti_SubscriberHandle)
TYPE(CUpti_CallbackFunc)
TYPE(CUpti_BuffersCallbackRequestFunc)
TYPE(CUpti_BuffersCallbackCompleteFunc)
TYPE(CUpti_CallbackData)
TYPE(CUpti_ResourceData)

/* Fields of records, at the same place and of the same size. */
#define FIELD(ours, theirs, field)                                                                 \
	_Static_assert(offsetof(ours, field) == offsetof(theirs, field), #theirs "." #field);      \
	_Static_assert(                                                                            \
		sizeof(((ours *)0)->field) == sizeof(((theirs *)0)->field), #theirs "." #field);

#define KERNEL_FIELDS(theirs)                                                                      \
	FIELD(struct cupti_kernel, theirs, kind)                                                   \
	FIELD(struct cupti_kernel, theirs, registersPerThread)                                     \
	FIELD(struct cupti_kernel, theirs, start)                                                  \
	FIELD(struct cupti_kernel, theirs, end)                                                    \
	FIELD(struct cupti_kernel, theirs, deviceId)                                               \
	FIELD(struct cupti_kernel, theirs, contextId)                                              \
	FIELD(struct cupti_kernel, theirs, streamId)                                               \
	FIELD(struct cupti_kernel, theirs, gridX)                                                  \
	FIELD(struct cupti_kernel, theirs, gridY)                                                  \
	FIELD(struct cupti_kernel, theirs, gridZ)                                                  \
	FIELD(struct cupti_kernel, theirs, blockX)                                                 \
	FIELD(struct cupti_kernel, theirs, blockY)                                                 \
	FIELD(struct cupti_kernel, theirs, blockZ)                                                 \
	FIELD(struct cupti_kernel, theirs, staticSharedMemory)                                     \
	FIELD(struct cupti_kernel, theirs, dynamicSharedMemory)                                    \
	FIELD(struct cupti_kernel, theirs, correlationId)                                          \
	FIELD(struct cupti_kernel, theirs, name)                                                   \
	FIELD(struct cupti_kernel, theirs, graphNodeId)

KERNEL_FIELDS(CUpti_ActivityKernel5)
KERNEL_FIELDS(CUpti_ActivityKernel6)
KERNEL_FIELDS(CUpti_ActivityKernel7)
KERNEL_FIELDS(CUpti_ActivityKernel8)
KERNEL_FIELDS(CUpti_ActivityKernel9)
KERNEL_FIELDS(CUpti_ActivityKernel10)
FIELD(struct cupti_kernel, CUpti_ActivityKernel7, graphId)
FIELD(struct cupti_kernel, CUpti_ActivityKernel10, graphId)

#define COPY_FIELDS(ours, theirs)                                                                  \
	FIELD(ours, theirs, kind)                                                                  \
	FIELD(ours, theirs, copyKind)                                                              \
	FIELD(ours, theirs, bytes)                                                                 \
	FIELD(ours, theirs, start)                                                                 \
	FIELD(ours, theirs, end)                                                                   \
	FIELD(ours, theirs, deviceId)                                                              \
	FIELD(ours, theirs, contextId)                                                             \
	FIELD(ours, theirs, streamId)                                                              \
	FIELD(ours, theirs, correlationId)                                                         \
	FIELD(ours, theirs, graphNodeId)
COPY_FIELDS(struct cupti_memcpy, CUpti_ActivityMemcpy4)
COPY_FIELDS(struct cupti_memcpy, CUpti_ActivityMemcpy5)
COPY_FIELDS(struct cupti_memcpy, CUpti_ActivityMemcpy6)
FIELD(struct cupti_memcpy, CUpti_ActivityMemcpy6, graphId)
COPY_FIELDS(struct cupti_memcpy2, CUpti_ActivityMemcpyPtoP4)
FIELD(struct cupti_memcpy2, CUpti_ActivityMemcpyPtoP4, graphId)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, kind)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, bytes)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, start)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, end)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, deviceId)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, contextId)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, streamId)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, correlationId)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, graphNodeId)
FIELD(struct cupti_memset, CUpti_ActivityMemset4, graphId)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, kind)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, correlationId)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, start)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, end)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, deviceId)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, graphId)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, contextId)
FIELD(struct cupti_graph_trace, CUpti_ActivityGraphTrace2, streamId)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, callbackSite)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, functionName)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, functionParams)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, functionReturnValue)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, symbolName)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, context)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, contextUid)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, correlationData)
FIELD(ours_CUpti_CallbackData, CUpti_CallbackData, correlationId)
FIELD(ours_CUpti_ResourceData, CUpti_ResourceData, context)
FIELD(ours_CUpti_ResourceData, CUpti_ResourceData, resourceHandle)
FIELD(ours_CUpti_ResourceData, CUpti_ResourceData, resourceDescriptor)
FIELD(ours_CUpti_GraphData, CUpti_GraphData, graph)
FIELD(ours_CUpti_GraphData, CUpti_GraphData, originalGraph)
FIELD(ours_CUpti_GraphData, CUpti_GraphData, node)
FIELD(ours_CUpti_GraphData, CUpti_GraphData, originalNode)
FIELD(ours_CUlaunchAttribute, CUlaunchAttribute, id)
FIELD(ours_CUlaunchAttribute, CUlaunchAttribute, value)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, attrs)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, gridDimX)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, gridDimY)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, gridDimZ)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, blockDimX)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, blockDimY)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, blockDimZ)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, sharedMemBytes)
FIELD(ours_CUlaunchConfig, CUlaunchConfig, hStream)
FIELD(ours_CUDA_MEMCPY2D, CUDA_MEMCPY2D, WidthInBytes)
FIELD(ours_CUDA_MEMCPY2D, CUDA_MEMCPY2D, Height)
FIELD(ours_CUDA_MEMCPY3D, CUDA_MEMCPY3D, WidthInBytes)
FIELD(ours_CUDA_MEMCPY3D, CUDA_MEMCPY3D, Height)
FIELD(ours_CUDA_MEMCPY3D, CUDA_MEMCPY3D, Depth)
FIELD(ours_CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, WidthInBytes)
FIELD(ours_CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, Height)
FIELD(ours_CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, Depth)

#define HOOK(api, cbid, ret, name, params, args, role)                                             \
	_Static_assert((cbid) == 0 || (cbid) == CUPTI_DRIVER_TRACE_CBID_##name, "cbid of " #name);
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/api/cuda.def"

#else

/* A file must not be empty. */
typedef int cuda_headers_are_not_installed;

#endif
