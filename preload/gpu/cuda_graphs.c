/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "preload/gpu/cuda.h"
#include "preload/handles.h"

/* A graph as it is read, node by node. */
struct reading {
	struct gpu_graph_part *parts;
	size_t count, capacity;
	uint32_t nodes;
	uint64_t signature;
};

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
#define FNV_OFFSET 0xcbf29ce484222325
#define FNV_PRIME 0x100000001b3

static void sign(struct reading *reading, const void *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		reading->signature = (reading->signature ^ ((const uint8_t *)data)[i]) * FNV_PRIME;
}

static void add_part(struct reading *reading, const char *kind, uint32_t kernel, uint64_t bytes)
{
	struct gpu_graph_part *part = reading->parts;

	sign(reading, kind, strlen(kind) + 1);
	sign(reading, &bytes, sizeof(bytes));
	for (size_t i = 0; i < reading->count; i++, part++) {
		if (part->kernel == kernel && part->bytes == bytes && part->kind == kind) {
			part->count++;
			return;
		}
	}
	if (reading->count == reading->capacity) {
		reading->capacity = reading->capacity * 2 + 16;
		part = realloc(reading->parts, reading->capacity * sizeof(*part));
		if (!part)
			return;
		reading->parts = part;
	}
	/* Compared byte by byte, so that padding must be zero. */
	part = memset(&reading->parts[reading->count++], 0, sizeof(*part));
	part->kind = kind;
	part->kernel = kernel;
	part->bytes = bytes;
	part->count = 1;
}

static int attribute(CUfunction function, int which)
{
	int value = 0;

	if (CUDA(cuFuncGetAttribute))
		CUDA(cuFuncGetAttribute)(&value, which, function);
	return value;
}

static void add_function(struct reading *reading, CUfunction function, const unsigned shape[2][3],
	unsigned dynamic_bytes)
{
	const char *name = cuda_kernel_name(function);
	int fixed_bytes = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
	int registers = attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);

	sign(reading, name, strlen(name) + 1);
	sign(reading, shape, 2 * sizeof(*shape));
	add_part(reading, "kernel",
		cuda_kernel_class(shape[0], shape[1], dynamic_bytes + (unsigned)fixed_bytes,
			(uint32_t)registers, name),
		PWRTRACE_UNKNOWN_U64);
}

static void add_kernel(struct reading *reading, CUgraphNode node)
{
	CUDA_KERNEL_NODE_PARAMS values = {0};

	if (!CUDA(cuGraphKernelNodeGetParams_v2) ||
		CUDA(cuGraphKernelNodeGetParams_v2)(node, &values) != CUDA_SUCCESS)
		return;
	add_function(reading, values.func ? values.func : values.kern,
		(const unsigned[2][3]){{values.gridDimX, values.gridDimY, values.gridDimZ},
			{values.blockDimX, values.blockDimY, values.blockDimZ}},
		values.sharedMemBytes);
}

static void add_copy(struct reading *reading, CUgraphNode node)
{
	CUDA_MEMCPY3D values = {0};
	const char *kind = "copy";

	if (!CUDA(cuGraphMemcpyNodeGetParams) ||
		CUDA(cuGraphMemcpyNodeGetParams)(node, &values) != CUDA_SUCCESS)
		return;
	if (values.srcMemoryType == CU_MEMORYTYPE_HOST)
		kind = "write";
	else if (values.dstMemoryType == CU_MEMORYTYPE_HOST)
		kind = "read";
	add_part(reading, kind, 0, (uint64_t)values.WidthInBytes * values.Height * values.Depth);
}

static void add_fill(struct reading *reading, CUgraphNode node)
{
	CUDA_MEMSET_NODE_PARAMS values = {0};

	if (!CUDA(cuGraphMemsetNodeGetParams) ||
		CUDA(cuGraphMemsetNodeGetParams)(node, &values) != CUDA_SUCCESS)
		return;
	add_part(reading, "fill", 0, (uint64_t)values.elementSize * values.width * values.height);
}

static void add_graph(struct reading *reading, CUgraph graph);

static void add_child(struct reading *reading, CUgraphNode node)
{
	CUgraph child;

	if (CUDA(cuGraphChildGraphNodeGetGraph) &&
		CUDA(cuGraphChildGraphNodeGetGraph)(node, &child) == CUDA_SUCCESS)
		add_graph(reading, child);
}

static void add_graph(struct reading *reading, CUgraph graph)
{
	static void (*const adders[])(struct reading * reading, CUgraphNode node) = {
		[CU_GRAPH_NODE_TYPE_KERNEL] = add_kernel,
		[CU_GRAPH_NODE_TYPE_MEMCPY] = add_copy,
		[CU_GRAPH_NODE_TYPE_MEMSET] = add_fill,
		[CU_GRAPH_NODE_TYPE_GRAPH] = add_child,
	};
	CUgraphNode *nodes;
	size_t count = 0;
	int type;

	if (CUDA(cuGraphGetNodes)(graph, NULL, &count) != CUDA_SUCCESS || !count)
		return;
	nodes = malloc(count * sizeof(*nodes));
	if (!nodes || CUDA(cuGraphGetNodes)(graph, nodes, &count) != CUDA_SUCCESS)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		if (CUDA(cuGraphNodeGetType)(nodes[i], &type) != CUDA_SUCCESS)
			continue;
		reading->nodes += type != CU_GRAPH_NODE_TYPE_GRAPH;
		if ((size_t)type < sizeof(adders) / sizeof(*adders) && adders[type])
			adders[type](reading, nodes[i]);
	}
	free(nodes);
}

static struct handles class_of_exec = HANDLES_INIT;

void cuda_graph_known(CUgraphExec exec, CUgraph graph)
{
	struct reading reading = {.signature = FNV_OFFSET};

	if (!CUDA(cuGraphGetNodes) || !CUDA(cuGraphNodeGetType))
		return;
	if (graph)
		add_graph(&reading, graph);
	handles_set(&class_of_exec, exec,
		graph ? gpu_add_graph(
				reading.signature, reading.nodes, reading.parts, reading.count)
		      : 0);
	free(reading.parts);
}

uint32_t cuda_graph_of(CUgraphExec exec)
{
	return handles_get(&class_of_exec, exec);
}
