/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/graph_reading.h"

#include <stdlib.h>
#include <string.h>

#include "preload/common/intern.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

/* Of the nodes of an executable graph, an array; compared byte by byte. */
struct planned {
	const char *kind;
	uint32_t kernel; /* its class; 0: memory work */
	struct graph_place place;
	uint32_t zero;
};

struct graph_reading {
	const struct graph_api *api;
	struct gpu_graph_part *parts;
	size_t count, capacity;
	struct planned *planned;
	size_t planned_count, planned_capacity;
	bool placed; /* some node has a place */
	uint32_t nodes;
	uint64_t signature;
};

/* ---- where nodes came to be ---- */

static struct intern places;
static struct handles place_of; /* by node */

static struct graph_place place_at(void *node)
{
	uint32_t id = handles_get(&place_of, node);

	return id ? *(const struct graph_place *)intern_get(&places, id)->bytes
		  : (struct graph_place){0, 0};
}

static void set_place(void *node, struct graph_place place)
{
	handles_set(&place_of, node, intern(&places, &place, sizeof(place)));
}

void graph_node_made(void *node)
{
	if (gpu_launches_wanted())
		set_place(node, (struct graph_place){gpu_current_layer(), callstack_current()});
}

void graph_put_place(struct gpu_work *work, struct graph_place place)
{
	if (place.layer)
		work->layer = place.layer;
	if (place.stack)
		work->stack = place.stack;
}

static void plan(struct graph_reading *reading, void *handle, uint32_t kernel, const char *kind)
{
	struct planned *more = reading->planned;
	size_t capacity = reading->planned_capacity;

	if (reading->planned_count == capacity) {
		capacity = capacity * 2 + 16;
		more = realloc(reading->planned, capacity * sizeof(*more));
		if (!more)
			return;
		reading->planned = more;
		reading->planned_capacity = capacity;
	}
	more += reading->planned_count++;
	*more = (struct planned){.kind = kind, .kernel = kernel, .place = place_at(handle)};
	reading->placed |= more->place.layer || more->place.stack;
}

/* ---- what graphs consist of ---- */

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
	if (node.kind == GRAPH_NODE_KERNEL) {
		add_kernel(reading, &node);
		plan(reading, handle, node.class, "kernel");
	} else if (node.kind == GRAPH_NODE_MEMORY) {
		add_part(reading, node.memory_kind, 0, node.bytes);
		plan(reading, handle, 0, node.memory_kind);
	} else if (node.kind == GRAPH_NODE_GRAPH && node.graph) {
		add_graph(reading, node.graph);
	}
}

/* Returns the nodes, free them; NULL: there are none. */
static void **nodes_of(const struct graph_api *api, void *graph, size_t *count)
{
	void **nodes;

	*count = 0;
	if (!api->nodes(graph, NULL, count) || !*count)
		return NULL;
	nodes = malloc(*count * sizeof(*nodes));
	if (!nodes || !api->nodes(graph, nodes, count))
		*count = 0;
	return nodes;
}

static void add_graph(struct graph_reading *reading, void *graph)
{
	size_t count;
	void **nodes = nodes_of(reading->api, graph, &count);

	for (size_t i = 0; i < count; i++)
		add_node(reading, nodes[i]);
	free(nodes);
}

/* Of all runtimes: their handles are addresses of one process. */
static struct handles class_of_exec;
static struct handles nodes_of_exec;
static struct intern plans; /* struct planned [] */

void graph_known(const struct graph_api *api, void *exec, void *graph)
{
	struct graph_reading reading = {.api = api, .signature = FNV_OFFSET};

	if (graph)
		add_graph(&reading, graph);
	handles_set(&class_of_exec, exec,
		graph ? gpu_add_graph(
				reading.signature, reading.nodes, reading.parts, reading.count)
		      : 0);
	handles_set(&nodes_of_exec, exec,
		reading.placed ? intern(&plans, reading.planned,
					 reading.planned_count * sizeof(*reading.planned))
			       : 0);
	free(reading.parts);
	free(reading.planned);
}

void graph_cloned(const struct graph_api *api, void *clone, void *original)
{
	size_t count, count_original;
	void **nodes = nodes_of(api, clone, &count);
	void **originals = nodes_of(api, original, &count_original);

	for (size_t i = 0; count == count_original && i < count; i++)
		set_place(nodes[i], place_at(originals[i]));
	free(nodes);
	free(originals);
}

uint32_t graph_of(void *exec)
{
	return handles_get(&class_of_exec, exec);
}

uint32_t graph_nodes_of(void *exec)
{
	return handles_get(&nodes_of_exec, exec);
}

/* ---- which node it was ---- */

/* Some profilers do not tell shapes. */
static bool is_kernel(const struct planned *node, const struct gpu_kernel *kernel)
{
	const struct gpu_kernel *planned = node->kernel ? gpu_kernel(node->kernel) : NULL;

	return planned && planned->name == kernel->name &&
	       (!kernel->global[0] ||
		       (memcmp(planned->global, kernel->global, sizeof(kernel->global)) == 0 &&
			       memcmp(planned->local, kernel->local, sizeof(kernel->local)) == 0));
}

/* Nor all of them which way a copy goes. */
static bool is_memory(const struct planned *node, const char *kind)
{
	return !node->kernel && (strcmp(node->kind, kind) == 0 || strcmp(kind, "copy") == 0);
}

/* Launches are kept for long, what was told of them is not. */
static void pass_told(struct graph_told *told, uint32_t count)
{
	while (told->until < count && told->of[told->until])
		told->until++;
	if (told->until == count) {
		free(told->of);
		told->of = NULL;
	}
}

struct graph_place graph_next_place(
	uint32_t nodes, struct graph_told *told, const struct gpu_kernel *kernel, const char *kind)
{
	const struct intern_key *key = nodes ? intern_get(&plans, nodes) : NULL;
	const struct planned *planned = key ? (const void *)key->bytes : NULL;
	uint32_t count = key ? key->length / (uint32_t)sizeof(*planned) : 0;

	if (!told->of && told->until < count)
		told->of = calloc(count, 1);
	for (uint32_t i = told->until; told->of && i < count; i++) {
		if (told->of[i] ||
			!(kernel ? is_kernel(&planned[i], kernel) : is_memory(&planned[i], kind)))
			continue;
		told->of[i] = 1;
		pass_told(told, count);
		return planned[i].place;
	}
	return (struct graph_place){0, 0};
}
