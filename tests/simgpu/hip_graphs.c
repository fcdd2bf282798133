/* SPDX-License-Identifier: MIT */
/* Graphs and their nodes. */
#include <stddef.h>

#include "tests/simgpu/hip_parts.h"

/* Default streams cannot be captured. */
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode)
{
	return hip_returned(cuStreamBeginCapture_v2(stream, mode));
}

hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode)
{
	return hipStreamBeginCapture(stream, mode);
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
	const hipGraphNode_t *after, const void *edges, size_t count, hipStreamCaptureMode mode)
{
	return hip_returned(cuStreamBeginCaptureToGraph(
		stream, graph, (const CUgraphNode *)after, edges, count, mode));
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph)
{
	return hip_returned(cuStreamEndCapture(stream, (CUgraph *)graph));
}

hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t *graph)
{
	return hipStreamEndCapture(stream, graph);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status,
	unsigned long long *id, hipGraph_t *graph, const hipGraphNode_t **after, size_t *count)
{
	static __thread hipGraphNode_t node;

	node = sim_captured_node((CUstream)stream);
	*id = 0;
	*graph = NULL;
	*after = &node;
	*count = node != NULL;
	return cuStreamIsCapturing((CUstream)stream, status);
}

hipError_t hipGraphCreate(hipGraph_t *graph, unsigned flags)
{
	(void)flags;
	*graph = sim_new_graph();
	return hipSuccess;
}

hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t original)
{
	return cuGraphClone((void **)clone, original);
}

hipError_t hipGraphDestroy(hipGraph_t graph)
{
	return cuGraphDestroy(graph);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec)
{
	return cuGraphExecDestroy(exec);
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count)
{
	return cuGraphGetNodes(graph, (CUgraphNode *)nodes, count);
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type)
{
	CUresult result = cuGraphNodeGetType(node, type);

	*type += hip_sim_version() < HIP_VERSION_5_3;
	return result;
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *values)
{
	CUDA_KERNEL_NODE_PARAMS of;
	CUresult result = cuGraphKernelNodeGetParams_v2(node, &of);

	*values = (hipKernelNodeParams){.func = hip_symbol_of(of.func),
		.gridDim = {of.gridDimX, of.gridDimY, of.gridDimZ},
		.blockDim = {of.blockDimX, of.blockDimY, of.blockDimZ},
		.sharedMemBytes = of.sharedMemBytes};
	return result;
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *values)
{
	CUDA_MEMCPY3D of;
	CUresult result = cuGraphMemcpyNodeGetParams(node, &of);

	*values = (hipMemcpy3DParms){.extent = {of.WidthInBytes, of.Height, of.Depth},
		.kind = of.srcMemoryType == CU_MEMORYTYPE_HOST   ? hipMemcpyHostToDevice
			: of.dstMemoryType == CU_MEMORYTYPE_HOST ? hipMemcpyDeviceToHost
								 : 3};
	return result;
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *values)
{
	CUDA_MEMSET_NODE_PARAMS of;
	CUresult result = cuGraphMemsetNodeGetParams(node, &of);

	*values = (hipMemsetParams){
		.elementSize = of.elementSize, .width = of.width, .height = of.height};
	return result;
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph)
{
	return cuGraphChildGraphNodeGetGraph(node, (CUgraph *)graph);
}

/* ---- nodes ---- */

static hipError_t add(hipGraphNode_t *node, hipGraph_t graph, const struct sim_record *work)
{
	return sim_add_node((CUgraph)graph, work, (CUgraphNode *)node);
}

static struct sim_record kernel(const hipKernelNodeParams *values)
{
	const struct function *function = hip_function_of(values->func);

	return (struct sim_record){.kind = SIM_KERNEL,
		.function = (CUfunction)function,
		.name = function->name,
		.grid = {(int)values->gridDim.x, (int)values->gridDim.y, (int)values->gridDim.z},
		.block = {(int)values->blockDim.x, (int)values->blockDim.y,
			(int)values->blockDim.z},
		.shared_bytes = values->sharedMemBytes};
}

static struct sim_record memory(const char *kind, uint64_t bytes)
{
	return (struct sim_record){.kind = SIM_MEMORY, .name = kind, .bytes = bytes};
}

static const char *way_of(hipMemcpyKind way)
{
	return way == hipMemcpyHostToDevice   ? "write"
	       : way == hipMemcpyDeviceToHost ? "read"
					      : "copy";
}

static uint64_t fill_bytes(const hipMemsetParams *values)
{
	return (uint64_t)values->elementSize * values->width * values->height;
}

/* The rest of its parameters, and the work that the node is. */
#define NODE(name, rest, ...)                                                                      \
	hipError_t name(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,       \
		size_t count, REST rest)                                                           \
	{                                                                                          \
		struct sim_record work = __VA_ARGS__;                                              \
                                                                                                   \
		(void)after, (void)count;                                                          \
		return add(node, graph, &work);                                                    \
	}
#define REST(...) __VA_ARGS__
#pragma GCC diagnostic ignored "-Wunused-parameter"
NODE(hipGraphAddKernelNode, (const hipKernelNodeParams *values), kernel(values))
NODE(hipGraphAddMemsetNode, (const hipMemsetParams *values), memory("fill", fill_bytes(values)))
NODE(hipDrvGraphAddMemsetNode, (const hipMemsetParams *values, void *context),
	memory("fill", fill_bytes(values)))
NODE(hipGraphAddMemcpyNode, (const hipMemcpy3DParms *values),
	memory(way_of(values->kind),
		values->extent.width * values->extent.height * values->extent.depth))
NODE(hipDrvGraphAddMemcpyNode, (const HIP_MEMCPY3D *values, void *context), memory("copy", 64))
NODE(hipGraphAddMemcpyNode1D, (void *to, const void *from, size_t bytes, hipMemcpyKind way),
	memory(way_of(way), bytes))
NODE(hipGraphAddMemcpyNodeFromSymbol,
	(void *to, const void *from, size_t bytes, size_t offset, hipMemcpyKind way),
	memory(way_of(way), bytes))
NODE(hipGraphAddMemcpyNodeToSymbol,
	(const void *to, const void *from, size_t bytes, size_t offset, hipMemcpyKind way),
	memory(way_of(way), bytes))
/* A kernel, behind its type. */
NODE(hipGraphAddNode, (void *values), kernel((const void *)((const char *)values + 16)))
