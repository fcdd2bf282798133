/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of CUPTI's binary interface that we use, so that no vendor header is needed
 * to build.  Names, values and layouts are CUPTI's own, from version 11.1 on: records grow at their
 * end.  tests/abi/abi_cuda.c compares them with the real headers.
 */
#ifndef PWRTRACE_CUPTI_ABI_H
#define PWRTRACE_CUPTI_ABI_H

#include "preload/api/cuda_abi.h"

typedef int32_t CUptiResult;
typedef void *CUpti_SubscriberHandle;
typedef void (*CUpti_CallbackFunc)(void *user, uint32_t domain, uint32_t cbid, const void *data);
typedef void (*CUpti_BuffersCallbackRequestFunc)(
	uint8_t **buffer, size_t *bytes, size_t *max_records);
typedef void (*CUpti_BuffersCallbackCompleteFunc)(
	CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid_bytes);

/* CONSTANT(name, value) */
#define CUPTI_CONSTANTS(CONSTANT)                                                                  \
	CONSTANT(CUPTI_SUCCESS, 0)                                                                 \
	CONSTANT(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, 39)                               \
	CONSTANT(CUPTI_API_ENTER, 0)                                                               \
	CONSTANT(CUPTI_CB_DOMAIN_DRIVER_API, 1)                                                    \
	CONSTANT(CUPTI_CB_DOMAIN_RESOURCE, 3)                                                      \
	CONSTANT(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, 2)                                  \
	CONSTANT(CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, 5)                                          \
	CONSTANT(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, 7)                                    \
	CONSTANT(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, 13)                                        \
	CONSTANT(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, 20)                                         \
	CONSTANT(CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED, 22)                                       \
	CONSTANT(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, 1)                                              \
	CONSTANT(CUPTI_ACTIVITY_KIND_MEMCPY, 1)                                                    \
	CONSTANT(CUPTI_ACTIVITY_KIND_MEMSET, 2)                                                    \
	CONSTANT(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 10)                                        \
	CONSTANT(CUPTI_ACTIVITY_KIND_MEMCPY2, 22)                                                  \
	CONSTANT(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 51)                                              \
	CONSTANT(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, 1)                                               \
	CONSTANT(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, 2)                                               \
	CONSTANT(CUPTI_ACTIVITY_MEMCPY_KIND_HTOA, 3)                                               \
	CONSTANT(CUPTI_ACTIVITY_MEMCPY_KIND_ATOH, 4)

#ifndef PWRTRACE_ABI_TEST
enum cupti_constant {
#define CONSTANT(name, value) name = value,
	CUPTI_CONSTANTS(CONSTANT)
#undef CONSTANT
};
#endif

typedef struct {
	uint32_t callbackSite;
	const char *functionName;
	const void *functionParams;
	void *functionReturnValue;
	const char *symbolName;
	CUcontext context;
	uint32_t contextUid;
	uint64_t *correlationData;
	uint32_t correlationId;
} CUpti_CallbackData;

typedef struct {
	CUcontext context;
	void *resourceHandle;
	void *resourceDescriptor;
} CUpti_ResourceData;

typedef struct {
	void *graph;
	void *originalGraph;
	void *node;
	void *originalNode;
} CUpti_GraphData;

typedef struct {
	uint32_t kind;
} CUpti_Activity;

struct cupti_kernel {
	uint32_t kind;
	uint8_t cacheConfig;
	uint8_t sharedMemoryConfig;
	uint16_t registersPerThread;
	uint32_t partitionedGlobalCacheRequested;
	uint32_t partitionedGlobalCacheExecuted;
	uint64_t start;
	uint64_t end;
	uint64_t completed;
	uint32_t deviceId;
	uint32_t contextId;
	uint32_t streamId;
	int32_t gridX, gridY, gridZ;
	int32_t blockX, blockY, blockZ;
	int32_t staticSharedMemory;
	int32_t dynamicSharedMemory;
	uint32_t localMemoryPerThread;
	uint32_t localMemoryTotal;
	uint32_t correlationId;
	int64_t gridId;
	const char *name;
	void *reserved0;
	uint64_t queued;
	uint64_t submitted;
	uint8_t launchType;
	uint8_t isSharedMemoryCarveoutRequested;
	uint8_t sharedMemoryCarveoutRequested;
	uint8_t padding;
	uint32_t sharedMemoryExecuted;
	uint64_t graphNodeId;
	uint32_t shmemLimitConfig;
	uint32_t graphId;
};

/* MEMCPY and MEMCPY2 have these in the same places up to correlationId. */
struct cupti_memcpy {
	uint32_t kind;
	uint8_t copyKind;
	uint8_t srcKind;
	uint8_t dstKind;
	uint8_t flags;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t deviceId;
	uint32_t contextId;
	uint32_t streamId;
	uint32_t correlationId;
	uint32_t runtimeCorrelationId;
	uint32_t pad;
	void *reserved0;
	uint64_t graphNodeId;
	uint32_t graphId;
};

struct cupti_memcpy2 {
	uint32_t kind;
	uint8_t copyKind;
	uint8_t srcKind;
	uint8_t dstKind;
	uint8_t flags;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t deviceId;
	uint32_t contextId;
	uint32_t streamId;
	uint32_t srcDeviceId;
	uint32_t srcContextId;
	uint32_t dstDeviceId;
	uint32_t dstContextId;
	uint32_t correlationId;
	void *reserved0;
	uint64_t graphNodeId;
	uint32_t graphId;
};

struct cupti_memset {
	uint32_t kind;
	uint32_t value;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t deviceId;
	uint32_t contextId;
	uint32_t streamId;
	uint32_t correlationId;
	uint16_t flags;
	uint16_t memoryKind;
	uint32_t pad;
	void *reserved0;
	uint64_t graphNodeId;
	uint32_t graphId;
};

struct cupti_graph_trace {
	uint32_t kind;
	uint32_t correlationId;
	uint64_t start;
	uint64_t end;
	uint32_t deviceId;
	uint32_t graphId;
	uint32_t contextId;
	uint32_t streamId;
};

#endif
