/* SPDX-License-Identifier: MIT */
/* What the nodes of HIP's graphs are. */
#include "preload/engine/gpu/hip/hip.h"

static void look_at_kernel(hipGraphNode_t handle, struct graph_node *node)
{
	hipKernelNodeParams values = {0};
	struct hip_shape shape;

	if (!HIP(hipGraphKernelNodeGetParams) ||
		HIP(hipGraphKernelNodeGetParams)(handle, &values) != hipSuccess)
		return;
	*node = (struct graph_node){.kind = GRAPH_NODE_KERNEL,
		.kernel = {.grid = {values.gridDim.x, values.gridDim.y, values.gridDim.z},
			.block = {values.blockDim.x, values.blockDim.y, values.blockDim.z}}};
	for (int i = 0; i < 3; i++) {
		shape.global[i] = (uint64_t)node->kernel.grid[i] * node->kernel.block[i];
		shape.local[i] = node->kernel.block[i];
	}
	shape.shared_bytes = values.sharedMemBytes;
	/* func is a host function or a handle, as the program gave it. */
	if (HIP(hipKernelNameRefByPtr) && HIP(hipKernelNameRefByPtr)(values.func, NULL))
		node->kernel.id = hip_class_of_symbol(values.func, NULL, &shape);
	else
		node->kernel.id = hip_class_of_function(values.func, &shape);
	node->kernel.name = hip_class_name(node->kernel.id);
}

static void look_at_copy(hipGraphNode_t handle, struct graph_node *node)
{
	hipMemcpy3DParms values = {0};

	if (!HIP(hipGraphMemcpyNodeGetParams) ||
		HIP(hipGraphMemcpyNodeGetParams)(handle, &values) != hipSuccess)
		return;
	node->kind = GRAPH_NODE_MEMORY;
	node->memory.kind = values.kind == hipMemcpyHostToDevice   ? "write"
			    : values.kind == hipMemcpyDeviceToHost ? "read"
								   : "copy";
	node->memory.bytes =
		(uint64_t)values.extent.width * values.extent.height * values.extent.depth;
}

static void look_at_fill(hipGraphNode_t handle, struct graph_node *node)
{
	hipMemsetParams values = {0};

	if (!HIP(hipGraphMemsetNodeGetParams) ||
		HIP(hipGraphMemsetNodeGetParams)(handle, &values) != hipSuccess)
		return;
	node->kind = GRAPH_NODE_MEMORY;
	node->memory.kind = "fill";
	node->memory.bytes = (uint64_t)values.elementSize * values.width * values.height;
}

static void look_at_child(hipGraphNode_t handle, struct graph_node *node)
{
	hipGraph_t graph;

	node->kind = GRAPH_NODE_GRAPH;
	if (HIP(hipGraphChildGraphNodeGetGraph) &&
		HIP(hipGraphChildGraphNodeGetGraph)(handle, &graph) == hipSuccess)
		node->graph = graph;
}

static bool look(void *handle, struct graph_node *node)
{
	static void (*const looks[])(hipGraphNode_t handle, struct graph_node * node) = {
		[hipGraphNodeTypeKernel] = look_at_kernel,
		[hipGraphNodeTypeMemcpy] = look_at_copy,
		[hipGraphNodeTypeMemset] = look_at_fill,
		[hipGraphNodeTypeGraph] = look_at_child,
	};
	hipGraphNodeType type;

	if (HIP(hipGraphNodeGetType)(handle, &type) != hipSuccess)
		return false;
	type += hip_version() >= HIP_VERSION_5_3;
	if (type >= 0 && (size_t)type < sizeof(looks) / sizeof(*looks) && looks[type])
		looks[type](handle, node);
	return true;
}

static bool nodes(void *graph, void **found, size_t *count)
{
	return HIP(hipGraphGetNodes)(graph, (hipGraphNode_t *)found, count) == hipSuccess;
}

static const struct graph_api api = {nodes, look};

void hip_graph_cloned(hipGraph_t clone, hipGraph_t original)
{
	if (HIP(hipGraphGetNodes))
		graph_cloned(&api, clone, original);
}

void hip_graph_learn(hipGraphExec_t exec, hipGraph_t graph)
{
	if (HIP(hipGraphGetNodes) && HIP(hipGraphNodeGetType))
		graph_learn(&api, exec, graph);
}
