/* SPDX-License-Identifier: MIT */
#include "preload/gpu/graph_reading.h"

#include <stdlib.h>
#include <string.h>

#include "preload/handles.h"

struct graph_reading {
	const struct graph_api *api;
	struct gpu_graph_part *parts;
	size_t count, capacity;
	uint32_t nodes;
	uint64_t signature;
};

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
#define FNV_OFFSET 0xcbf29ce484222325
#define FNV_PRIME 0x100000001b3

static void sign(struct graph_reading *reading, const void *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		reading->signature = (reading->signature ^ ((const uint8_t *)data)[i]) * FNV_PRIME;
}

static void add_part(
	struct graph_reading *reading, const char *kind, uint32_t kernel, uint64_t bytes)
{
	struct gpu_graph_part *part = reading->parts;

	sign(reading, kind, strlen(kind) + 1);
	sign(reading, &bytes, sizeof(bytes));
	for (size_t i = 0; part && i < reading->count; i++, part++) {
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

static void add_kernel(struct graph_reading *reading, const struct graph_node *node)
{
	sign(reading, node->name, strlen(node->name) + 1);
	sign(reading, node->grid, sizeof(node->grid));
	sign(reading, node->block, sizeof(node->block));
	add_part(reading, "kernel", node->class, PWRTRACE_UNKNOWN_U64);
}

static void add_graph(struct graph_reading *reading, void *graph);

static void add_node(struct graph_reading *reading, void *handle)
{
	struct graph_node node = {0};

	if (!reading->api->look(handle, &node))
		return;
	reading->nodes += node.kind != GRAPH_NODE_GRAPH;
	if (node.kind == GRAPH_NODE_KERNEL)
		add_kernel(reading, &node);
	else if (node.kind == GRAPH_NODE_MEMORY)
		add_part(reading, node.memory_kind, 0, node.bytes);
	else if (node.kind == GRAPH_NODE_GRAPH && node.graph)
		add_graph(reading, node.graph);
}

static void add_graph(struct graph_reading *reading, void *graph)
{
	void **nodes;
	size_t count = 0;

	if (!reading->api->nodes(graph, NULL, &count) || !count)
		return;
	nodes = malloc(count * sizeof(*nodes));
	if (!nodes || !reading->api->nodes(graph, nodes, &count))
		count = 0;
	for (size_t i = 0; i < count; i++)
		add_node(reading, nodes[i]);
	free(nodes);
}

/* Of all runtimes: their handles are addresses of one process. */
static struct handles class_of_exec = HANDLES_INIT;

void graph_known(const struct graph_api *api, void *exec, void *graph)
{
	struct graph_reading reading = {.api = api, .signature = FNV_OFFSET};

	if (graph)
		add_graph(&reading, graph);
	handles_set(&class_of_exec, exec,
		graph ? gpu_add_graph(
				reading.signature, reading.nodes, reading.parts, reading.count)
		      : 0);
	free(reading.parts);
}

uint32_t graph_of(void *exec)
{
	return handles_get(&class_of_exec, exec);
}
