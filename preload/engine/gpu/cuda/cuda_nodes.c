/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/cuda/cuda_nodes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preload/engine/core/handles.h"

#define ALIGNMENT 64 /* of a copied argument: as tensor maps ask for */
#define VALUES_MAX 4096

static const char memory_ran_out[] = "the host's memory ran out";
static const char was_changed[] = "the program has changed its graph";

bool cuda_parameter_at(CUfunction function, size_t index, size_t *bytes)
{
	size_t offset;

	/* A CUfunction may really be a CUkernel: launches accept both. */
	return (CUDA(cuFuncGetParamInfo) &&
		       CUDA(cuFuncGetParamInfo)(function, index, &offset, bytes) == CUDA_SUCCESS) ||
	       (CUDA(cuKernelGetParamInfo) &&
		       CUDA(cuKernelGetParamInfo)(function, index, &offset, bytes) == CUDA_SUCCESS);
}

/* ---- copies of arguments ---- */

static size_t aligned(size_t bytes)
{
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* One block: the pointers, then what they point to.  Returns why it failed, or NULL. */
static const char *copy_values(struct cuda_node *node, void *const *values)
{
	size_t count = 0, bytes, sum = 0;
	char *to;

	if (!CUDA(cuFuncGetParamInfo) && !CUDA(cuKernelGetParamInfo))
		return "it is launched by a graph, and this driver tells no arguments";
	for (; count < VALUES_MAX && cuda_parameter_at(node->function, count, &bytes); count++)
		sum += aligned(bytes);
	if (!count)
		return NULL;
	node->values = aligned_alloc(ALIGNMENT, aligned(count * sizeof(void *)) + sum);
	if (!node->values)
		return memory_ran_out;
	to = (char *)node->values + aligned(count * sizeof(void *));
	for (size_t i = 0; i < count && cuda_parameter_at(node->function, i, &bytes); i++) {
		node->values[i] = memcpy(to, values[i], bytes);
		to += aligned(bytes);
	}
	return NULL;
}

/* As a buffer with its size: how CUDA marks its parts. */
static const char *copy_buffer(struct cuda_node *node, void *const *extra)
{
	enum { POINTER_MARK, POINTER, SIZE_MARK, SIZE, END, BYTES, WORDS };
	const void *buffer = NULL;
	size_t bytes = 0;

	for (; *extra == (void *)1 || *extra == (void *)2; extra += 2) {
		if (*extra == (void *)1)
			buffer = extra[1];
		else
			bytes = *(const size_t *)extra[1];
	}
	if (!buffer)
		return "its arguments cannot be read";
	node->extra = aligned_alloc(ALIGNMENT, aligned(WORDS * sizeof(void *)) + aligned(bytes));
	if (!node->extra)
		return memory_ran_out;
	node->extra[POINTER_MARK] = (void *)1;
	node->extra[POINTER] =
		memcpy((char *)node->extra + aligned(WORDS * sizeof(void *)), buffer, bytes);
	node->extra[SIZE_MARK] = (void *)2;
	node->extra[SIZE] = memcpy(&node->extra[BYTES], &bytes, sizeof(bytes));
	node->extra[END] = NULL;
	return NULL;
}

/* ---- nodes ---- */

static void clear(struct cuda_node *node)
{
	free(node->values);
	free(node->extra);
	node->values = node->extra = NULL;
}

/* Keeps what a launch needs.  Returns why it cannot be launched alone, or NULL. */
static const char *take_attributes(struct cuda_node *node)
{
	static const int32_t kept[] = {CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
		CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE};
	uint64_t value[8] = {0};

	if (!CUDA(cuGraphKernelNodeGetAttribute))
		return NULL;
	if (CUDA(cuGraphKernelNodeGetAttribute)(
		    node->handle, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value) == CUDA_SUCCESS &&
		(int32_t)value[0])
		return "it is a cooperative launch";
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		CUlaunchAttribute *attribute = &node->attributes[node->config.numAttrs];

		*attribute = (CUlaunchAttribute){.id = kept[i]};
		if (CUDA(cuGraphKernelNodeGetAttribute)(node->handle, kept[i], attribute->value) ==
				CUDA_SUCCESS &&
			(uint32_t)attribute->value[0])
			node->config.numAttrs++;
	}
	return NULL;
}

/* Sets what a kernel is launched with; the handle stays, and what goes before it. */
static void set(struct cuda_node *node, const CUDA_KERNEL_NODE_PARAMS *values)
{
	node->config = (CUlaunchConfig){values->gridDimX, values->gridDimY, values->gridDimZ,
		values->blockDimX, values->blockDimY, values->blockDimZ, values->sharedMemBytes,
		.numAttrs = 0};
	node->kernel = cuda_class_of_config(node->function, &node->config);
	node->why_not = take_attributes(node);
	if (values->extra)
		node->why_not = copy_buffer(node, values->extra) ?: node->why_not;
	else if (values->kernelParams)
		node->why_not = copy_values(node, values->kernelParams) ?: node->why_not;
}

static bool is_known(const struct cuda_nodes *nodes, uint32_t kernel)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->list[i].kernel == kernel)
			return true;
	return false;
}

/* Returns the list with room for one more than its count, or NULL if memory runs out: then it is as
 * it was. */
static void *with_room(void *list, size_t count, size_t *room, size_t bytes_each)
{
	size_t wanted = 2 * count + 16;
	void *more;

	if (count < *room)
		return list;
	more = realloc(list, wanted * bytes_each);
	if (more)
		*room = wanted;
	return more;
}

static void add(struct cuda_nodes *nodes, const struct cuda_node *node)
{
	struct cuda_node *list = with_room(nodes->list, nodes->count, &nodes->room, sizeof(*list));

	if (!list)
		return;
	nodes->list = list;
	list[nodes->count++] = *node;
}

/* before: its fills. */
static void add_kernel(struct cuda_nodes *nodes, CUgraphNode handle, const struct cuda_node *before)
{
	CUDA_KERNEL_NODE_PARAMS values = {0};
	struct cuda_node node = *before;

	if (!CUDA(cuGraphKernelNodeGetParams_v2) ||
		CUDA(cuGraphKernelNodeGetParams_v2)(handle, &values) != CUDA_SUCCESS)
		return;
	node.handle = handle;
	node.function = values.func ? values.func : values.kern;
	node.context = values.ctx;
	node.config = (CUlaunchConfig){values.gridDimX, values.gridDimY, values.gridDimZ,
		values.blockDimX, values.blockDimY, values.blockDimZ, values.sharedMemBytes,
		.numAttrs = 0};
	if (is_known(nodes, cuda_class_of_config(node.function, &node.config)))
		return;
	set(&node, &values);
	add(nodes, &node);
}

static void add_filled(struct cuda_nodes *nodes, const CUDA_MEMSET_NODE_PARAMS *fill)
{
	size_t bytes = fill->width * fill->elementSize;
	struct cuda_filled *filled;

	if (bytes > REPLAY_FILL_BYTES)
		return;
	filled =
		with_room(nodes->filled, nodes->filled_count, &nodes->filled_room, sizeof(*filled));
	if (!filled)
		return;
	nodes->filled = filled;
	filled[nodes->filled_count++] = (struct cuda_filled){fill->dst, bytes};
}

static void add_fill(struct cuda_nodes *nodes, struct cuda_node *before, CUgraphNode handle)
{
	CUDA_MEMSET_NODE_PARAMS fill;

	if (!CUDA(cuGraphMemsetNodeGetParams) ||
		CUDA(cuGraphMemsetNodeGetParams)(handle, &fill) != CUDA_SUCCESS || fill.height != 1)
		return;
	add_filled(nodes, &fill);
	if (before->fill_count < CUDA_NODE_FILLS)
		before->fills[before->fill_count++] = fill;
	else
		before->filled_before = nodes->filled_count; /* this one is not repeated */
}

/* ---- graphs ---- */

static void refuse_all(struct cuda_nodes *nodes, const char *why_not)
{
	for (size_t i = 0; i < nodes->count; i++)
		nodes->list[i].why_not = why_not;
}

/* Returns the nodes, for free(), or NULL. */
static CUgraphNode *handles_of(CUgraph graph, size_t *count)
{
	CUgraphNode *handles = NULL;

	if (CUDA(cuGraphGetNodes)(graph, NULL, count) == CUDA_SUCCESS && *count)
		handles = malloc(*count * sizeof(*handles));
	if (handles && CUDA(cuGraphGetNodes)(graph, handles, count) != CUDA_SUCCESS)
		*count = 0;
	return handles;
}

/* Returns whether it allocates memory, which only exists while it runs. */
static bool add_graph(struct cuda_nodes *nodes, CUgraph graph)
{
	struct cuda_node before = {.filled_before = nodes->filled_count};
	bool allocates = false;
	size_t count = 0;
	CUgraphNode *handles = handles_of(graph, &count);

	for (size_t i = 0; handles && i < count; i++) {
		CUgraph child;
		int type;

		if (CUDA(cuGraphNodeGetType)(handles[i], &type) != CUDA_SUCCESS)
			continue;
		if (type == CU_GRAPH_NODE_TYPE_MEMSET) {
			add_fill(nodes, &before, handles[i]);
			continue;
		}
		if (type == CU_GRAPH_NODE_TYPE_KERNEL)
			add_kernel(nodes, handles[i], &before);
		else if (type == CU_GRAPH_NODE_TYPE_GRAPH && CUDA(cuGraphChildGraphNodeGetGraph) &&
			 CUDA(cuGraphChildGraphNodeGetGraph)(handles[i], &child) == CUDA_SUCCESS)
			allocates |= add_graph(nodes, child);
		allocates |= type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
		before.fill_count = 0;
		before.filled_before = nodes->filled_count;
	}
	free(handles);
	return allocates;
}

/* ---- all of them ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handles index_of; /* by executable graph, from 1 */
static struct cuda_nodes **all;
static uint32_t known; /* elements of all */
static size_t room;

static struct cuda_nodes *find(CUgraphExec exec)
{
	uint32_t index = handles_get(&index_of, exec);
	struct cuda_nodes *nodes;

	if (!index)
		return NULL;
	pthread_mutex_lock(&lock);
	nodes = all[index - 1];
	pthread_mutex_unlock(&lock);
	return nodes;
}

static struct cuda_nodes *make(CUgraphExec exec)
{
	struct cuda_nodes *nodes = calloc(1, sizeof(*nodes)), **more;

	pthread_mutex_lock(&lock);
	more = with_room(all, known, &room, sizeof(*all));
	if (more)
		all = more;
	if (nodes && more) {
		all[known++] = nodes;
		handles_set(&index_of, exec, known);
	} else {
		free(nodes);
		nodes = NULL;
	}
	pthread_mutex_unlock(&lock);
	return nodes;
}

void cuda_nodes_learn(CUgraphExec exec, CUgraph graph, bool updated)
{
	struct cuda_nodes *nodes = find(exec) ?: make(exec);

	if (!nodes || !CUDA(cuGraphGetNodes) || !CUDA(cuGraphNodeGetType))
		return;
	for (size_t i = 0; i < nodes->count; i++)
		clear(&nodes->list[i]);
	nodes->count = nodes->filled_count = 0;
	nodes->updated = updated;
	if (add_graph(nodes, graph))
		refuse_all(nodes, "its graph allocates memory");
}

void cuda_nodes_set(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *values)
{
	struct cuda_nodes *nodes = find(exec);

	for (size_t i = 0; nodes && i < nodes->count; i++) {
		struct cuda_node *own = &nodes->list[i];

		if (own->handle != node)
			continue;
		clear(own);
		/* Version 1 has no kern: the function stays, or is given. */
		own->function = values->func ?: own->function;
		set(own, values);
		return;
	}
	if (nodes && nodes->updated)
		refuse_all(nodes, was_changed);
}

void cuda_nodes_changed(CUgraphExec exec)
{
	struct cuda_nodes *nodes = find(exec);

	if (nodes)
		refuse_all(nodes, was_changed);
}

const struct cuda_nodes *cuda_nodes_of(CUgraphExec exec)
{
	return find(exec);
}
