/* SPDX-License-Identifier: MIT */
/* What the nodes of CUDA's graphs are. */
#include "preload/engine/gpu/cuda/cuda.h"

static void look_at_kernel(CUgraphNode handle, struct graph_node *node)
{
	CUDA_KERNEL_NODE_PARAMS values = {0};
	struct gpu_kernel kernel;
	CUfunction function;

	if (!CUDA(cuGraphKernelNodeGetParams_v2) ||
		CUDA(cuGraphKernelNodeGetParams_v2)(handle, &values) != CUDA_SUCCESS)
		return;
	function = values.func ? values.func : values.kern;
	*node = (struct graph_node){.kind = GRAPH_NODE_KERNEL,
		.kernel = {.grid = {values.gridDimX, values.gridDimY, values.gridDimZ},
			.block = {values.blockDimX, values.blockDimY, values.blockDimZ},
			.name = cuda_kernel_name(function)}};
	kernel = cuda_kernel(node->kernel.grid, node->kernel.block,
		cuda_shared_bytes(function, values.sharedMemBytes),
		(uint32_t)cuda_attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS), node->kernel.name);
	node->kernel.id = gpu_kernel_class(&kernel);
}

static void look_at_copy(CUgraphNode handle, struct graph_node *node)
{
	CUDA_MEMCPY3D values = {0};

	if (!CUDA(cuGraphMemcpyNodeGetParams) ||
		CUDA(cuGraphMemcpyNodeGetParams)(handle, &values) != CUDA_SUCCESS)
		return;
	node->kind = GRAPH_NODE_MEMORY;
	node->memory.kind = values.srcMemoryType == CU_MEMORYTYPE_HOST   ? "write"
			    : values.dstMemoryType == CU_MEMORYTYPE_HOST ? "read"
									 : "copy";
	node->memory.bytes = (uint64_t)values.WidthInBytes * values.Height * values.Depth;
}

static void look_at_fill(CUgraphNode handle, struct graph_node *node)
{
	CUDA_MEMSET_NODE_PARAMS values = {0};

	if (!CUDA(cuGraphMemsetNodeGetParams) ||
		CUDA(cuGraphMemsetNodeGetParams)(handle, &values) != CUDA_SUCCESS)
		return;
	node->kind = GRAPH_NODE_MEMORY;
	node->memory.kind = "fill";
	node->memory.bytes = (uint64_t)values.elementSize * values.width * values.height;
}

static void look_at_child(CUgraphNode handle, struct graph_node *node)
{
	node->kind = GRAPH_NODE_GRAPH;
	if (!CUDA(cuGraphChildGraphNodeGetGraph) ||
		CUDA(cuGraphChildGraphNodeGetGraph)(handle, &node->graph) != CUDA_SUCCESS)
		node->graph = NULL;
}

static bool look(void *handle, struct graph_node *node)
{
	static void (*const looks[])(CUgraphNode handle, struct graph_node * node) = {
		[CU_GRAPH_NODE_TYPE_KERNEL] = look_at_kernel,
		[CU_GRAPH_NODE_TYPE_MEMCPY] = look_at_copy,
		[CU_GRAPH_NODE_TYPE_MEMSET] = look_at_fill,
		[CU_GRAPH_NODE_TYPE_GRAPH] = look_at_child,
	};
	int type;

	if (CUDA(cuGraphNodeGetType)(handle, &type) != CUDA_SUCCESS)
		return false;
	if ((size_t)type < sizeof(looks) / sizeof(*looks) && looks[type])
		looks[type](handle, node);
	return true;
}

static bool nodes(void *graph, void **found, size_t *count)
{
	return CUDA(cuGraphGetNodes)(graph, found, count) == CUDA_SUCCESS;
}

void cuda_graph_learn(CUgraphExec exec, CUgraph graph)
{
	static const struct graph_api api = {nodes, look};

	if (CUDA(cuGraphGetNodes) && CUDA(cuGraphNodeGetType))
		graph_learn(&api, exec, graph);
}
