/* SPDX-License-Identifier: MIT */
/* Capture and graphs.  An executable graph is a clone of its graph, as CUPTI sees it too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simgpu/cuda_parts.h"

#define NODES_MAX 256
#define NODE_GAP_NS 500
#define NODE_ID(graph, index) ((uint64_t)(graph)->is.id << 32 | (unsigned)(index))

struct node {
	struct sim_graph_id is;
	struct sim_record work;
	uintptr_t params[4]; /* of a copy or fill */
};

struct graph {
	struct sim_graph_id is;
	struct node nodes[NODES_MAX]; /* they run one after the other */
	int count;
	bool whole; /* CUPTI timed graphs as one unit when this one was instantiated */
};

static struct graph *new_graph(void)
{
	static uint64_t last;
	struct graph *graph = calloc(1, sizeof(*graph));

	graph->is.id = ++last;
	return graph;
}

static void report_node(
	uint32_t cbid, struct graph *graph, struct graph *original, struct node *from, int index)
{
	sim_resource(cbid, sim_context(),
		&(CUpti_ResourceData){.context = sim_context(),
			.resourceDescriptor = &(CUpti_GraphData){.graph = graph,
				.originalGraph = original,
				.node = &graph->nodes[index],
				.originalNode = from}});
}

/* Keeps a copy of the name, which may be gone by the time that the graph is launched. */
static void add_node(struct graph *graph, const struct sim_record *work)
{
	int index = graph->count++;
	struct node *node = &graph->nodes[index];

	node->is.id = NODE_ID(graph, index);
	node->work = *work;
	node->work.name = strdup(work->name);
	if (work->kind == SIM_KERNEL)
		node->work.values = sim_keep_values(work->name, work->values);
	if (work->params)
		node->work.params = memcpy(node->params, work->params, sizeof(node->params));
	report_node(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, graph, NULL, NULL, index);
}

static struct graph *clone_graph(struct graph *original)
{
	struct graph *graph = new_graph();

	for (int i = 0; i < original->count; i++) {
		add_node(graph, &original->nodes[i].work);
		report_node(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, graph, original,
			&original->nodes[i], i);
	}
	return graph;
}

CUresult sim_capture(struct stream *stream, const struct sim_record *work)
{
	if (stream->capture_broken)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (stream->capture->count == NODES_MAX)
		return CUDA_ERROR_OUT_OF_MEMORY;
	add_node(stream->capture, work);
	return CUDA_SUCCESS;
}

CUgraphNode sim_captured_node(CUstream handle)
{
	struct stream *stream = sim_stream(handle);
	struct graph *graph = stream ? stream->capture : NULL;

	return graph && graph->count ? &graph->nodes[graph->count - 1] : NULL;
}

CUgraph sim_new_graph(void)
{
	return new_graph();
}

CUresult sim_add_node(CUgraph handle, const struct sim_record *work, CUgraphNode *node)
{
	struct graph *graph = handle;

	if (graph->count == NODES_MAX)
		return CUDA_ERROR_OUT_OF_MEMORY;
	add_node(graph, work);
	*node = &graph->nodes[graph->count - 1];
	return CUDA_SUCCESS;
}

/* Crashes where graphs are timed as one unit, but were not when this one was instantiated, as CUPTI
 * 13.0 does. */
static void crash_unless_alike(const struct graph *exec)
{
	if (sim_observer && sim_observer->whole_graphs() && !exec->whole) {
		fputs("simgpu: CUPTI times graphs as one unit, but not when this one was "
		      "instantiated\n",
			stderr);
		abort();
	}
}

CUresult sim_launch_graph(CUgraphExec exec, CUstream handle)
{
	struct stream *stream = sim_stream(handle);
	struct graph *graph = exec;
	struct sim_record whole = {.kind = SIM_GRAPH};
	uint64_t earliest_ns = sim_now_ns() + LAUNCH_NS;

	if (!graph)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (stream->capture)
		return sim_unsafe(true);
	crash_unless_alike(graph);
	for (int i = 0; i < graph->count; i++) {
		struct sim_record work = graph->nodes[i].work;

		work.node = graph->nodes[i].is.id;
		work.graph = (uint32_t)graph->is.id;
		sim_place(stream, &work, earliest_ns);
		earliest_ns = work.end_ns + NODE_GAP_NS;
		if (i == 0)
			whole.begin_ns = work.begin_ns;
	}
	whole.device = (uint32_t)stream->object.context->ordinal;
	whole.context = stream->object.context_id;
	whole.stream = stream->object.id;
	whole.correlation = sim_correlation();
	whole.graph = (uint32_t)graph->is.id;
	whole.end_ns = stream->end_ns;
	sim_record(&whole);
	return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
	ENTER;
	return sim_begin_capture(stream, mode, new_graph());
}

CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, int mode)
{
	return cuStreamBeginCapture_v2(stream, mode);
}

CUresult cuStreamBeginCapture(CUstream stream)
{
	return cuStreamBeginCapture_v2(stream, 0);
}

CUresult cuStreamBeginCapture_ptsz(CUstream stream)
{
	return cuStreamBeginCapture_v2(stream, 0);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *after,
	const void *edges, size_t count, int mode)
{
	(void)after, (void)edges, (void)count;
	ENTER;
	return sim_begin_capture(stream, mode, graph);
}

CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph, const CUgraphNode *after,
	const void *edges, size_t count, int mode)
{
	return cuStreamBeginCaptureToGraph(stream, graph, after, edges, count, mode);
}

CUresult cuStreamEndCapture(CUstream stream, void **graph)
{
	struct graph *captured = NULL;
	CUresult result;

	ENTER;
	result = sim_end_capture(stream, &captured);
	*graph = result == CUDA_SUCCESS ? captured : NULL;
	return result;
}

CUresult cuStreamEndCapture_ptsz(CUstream stream, void **graph)
{
	return cuStreamEndCapture(stream, graph);
}

CUresult cuGraphClone(void **clone, void *graph)
{
	ENTER;
	if (!graph)
		return CUDA_ERROR_INVALID_VALUE;
	*clone = clone_graph(graph);
	return CUDA_SUCCESS;
}

CUresult sim_instantiate(CUgraphExec *exec, CUgraph graph)
{
	struct graph *clone;

	if (!graph)
		return CUDA_ERROR_INVALID_VALUE;
	clone = clone_graph(graph);
	clone->whole = sim_observer && sim_observer->whole_graphs();
	*exec = clone;
	return CUDA_SUCCESS;
}

static bool is_alike(const struct sim_record *a, const struct sim_record *b)
{
	return a->function == b->function && a->bytes == b->bytes &&
	       memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
	       memcmp(a->block, b->block, sizeof(a->block)) == 0;
}

/* Its nodes keep their ids.  Without a graph it was a single node, which stays as it was here. */
CUresult sim_update(CUgraphExec exec, CUgraph graph)
{
	struct graph *to = exec, *from = graph;

	if (!to || (from && to->count != from->count))
		return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
	for (int i = 0; from && i < to->count; i++) {
		if (is_alike(&to->nodes[i].work, &from->nodes[i].work))
			continue;
		to->nodes[i].work = from->nodes[i].work;
		report_node(CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED, from, to, &to->nodes[i], i);
	}
	return CUDA_SUCCESS;
}

/* node is of the graph that exec was made from. */
CUresult sim_set_node(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *values)
{
	struct graph *graph = exec;
	unsigned index = (uint32_t)((const struct node *)node)->is.id;
	struct sim_record *work = &graph->nodes[index].work;

	work->values = sim_keep_values(work->name, values->kernelParams);
	return CUDA_SUCCESS;
}

static CUresult destroy(struct graph *graph)
{
	ENTER;
	return graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph)
{
	return destroy(graph);
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
	return destroy(exec);
}

/* ---- what nodes are ---- */

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
	struct graph *graph = handle;

	ENTER;
	if (!graph)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; nodes && i < *count && i < (size_t)graph->count; i++)
		nodes[i] = &graph->nodes[i];
	*count = (size_t)graph->count;
	return CUDA_SUCCESS;
}

static bool is_fill(const struct sim_record *work)
{
	return work->kind == SIM_MEMORY && strcmp(work->name, "fill") == 0;
}

CUresult cuGraphNodeGetType(CUgraphNode node, int *type)
{
	const struct sim_record *work = &((const struct node *)node)->work;

	ENTER;
	*type = work->kind == SIM_KERNEL ? CU_GRAPH_NODE_TYPE_KERNEL
		: is_fill(work)          ? CU_GRAPH_NODE_TYPE_MEMSET
					 : CU_GRAPH_NODE_TYPE_MEMCPY;
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *values)
{
	const struct sim_record *work = &((const struct node *)handle)->work;

	ENTER;
	*values = (CUDA_KERNEL_NODE_PARAMS){.func = work->function,
		.gridDimX = (unsigned)work->grid[0],
		.gridDimY = (unsigned)work->grid[1],
		.gridDimZ = (unsigned)work->grid[2],
		.blockDimX = (unsigned)work->block[0],
		.blockDimY = (unsigned)work->block[1],
		.blockDimZ = (unsigned)work->block[2],
		.sharedMemBytes = work->shared_bytes,
		.kernelParams = (void **)work->values};
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, int attribute, void *value)
{
	ENTER;
	(void)node, (void)attribute;
	memset(value, 0, sizeof(((CUlaunchAttribute *)NULL)->value));
	return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *values)
{
	enum { DEVICE = 2 };
	const struct sim_record *work = &((const struct node *)node)->work;

	ENTER;
	*values = (CUDA_MEMCPY3D){
		.srcMemoryType = strcmp(work->name, "write") == 0 ? CU_MEMORYTYPE_HOST : DEVICE,
		.dstMemoryType = strcmp(work->name, "read") == 0 ? CU_MEMORYTYPE_HOST : DEVICE,
		.WidthInBytes = work->bytes,
		.Height = 1,
		.Depth = 1};
	return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *values)
{
	const struct sim_record *work = &((const struct node *)node)->work;
	const uintptr_t *params = work->params;
	bool words = params && strncmp(work->call, "cuMemsetD32", strlen("cuMemsetD32")) == 0;

	ENTER;
	*values = (CUDA_MEMSET_NODE_PARAMS){.dst = params ? params[0] : 0,
		.value = params ? (unsigned)params[1] : 0,
		.elementSize = words ? sizeof(uint32_t) : 1,
		.width = work->bytes / (words ? sizeof(uint32_t) : 1),
		.height = 1};
	return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
	(void)node, (void)graph;
	return CUDA_ERROR_INVALID_VALUE;
}
