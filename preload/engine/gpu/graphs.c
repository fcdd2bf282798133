/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "preload/common/intern.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

/* A node of an executable graph, with its place; compared byte by byte. */
struct planned_node {
	const char *kind;
	uint32_t kernel; /* its class; 0: memory work */
	struct gpu_place place;
	uint32_t zero;
};

struct graph_contents {
	const struct graph_api *api;
	struct gpu_graph_part *parts;
	size_t count, capacity;
	struct planned_node *planned;
	size_t planned_count, planned_capacity;
	bool placed; /* some node has a place */
	uint32_t nodes;
	uint64_t signature;
};

/* ---- where nodes were made ---- */

static struct intern places;
static struct handles place_of; /* by node */

static struct gpu_place place_at(void *node)
{
	uint32_t id = handles_get(&place_of, node);

	return id ? *(const struct gpu_place *)intern_get(&places, id)->bytes
		  : (struct gpu_place){0, 0};
}

static void set_place(void *node, struct gpu_place place)
{
	handles_set(&place_of, node, intern(&places, &place, sizeof(place)));
}

void graph_node_made(void *node)
{
	if (gpu_launches_wanted())
		set_place(node, gpu_current_place());
}

void graph_put_place(struct gpu_work *work, struct gpu_place place)
{
	if (place.layer)
		work->place.layer = place.layer;
	if (place.stack)
		work->place.stack = place.stack;
}

static void plan(struct graph_contents *contents, void *handle, uint32_t kernel, const char *kind)
{
	struct planned_node *more = contents->planned;
	size_t capacity = contents->planned_capacity;

	if (contents->planned_count == capacity) {
		capacity = capacity * 2 + 16;
		more = realloc(contents->planned, capacity * sizeof(*more));
		if (!more)
			return;
		contents->planned = more;
		contents->planned_capacity = capacity;
	}
	more += contents->planned_count++;
	*more = (struct planned_node){.kind = kind, .kernel = kernel, .place = place_at(handle)};
	contents->placed |= more->place.layer || more->place.stack;
}

/* ---- what graphs consist of ---- */

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
#define FNV_OFFSET 0xcbf29ce484222325
#define FNV_PRIME 0x100000001b3

static void sign(struct graph_contents *contents, const void *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		contents->signature =
			(contents->signature ^ ((const uint8_t *)data)[i]) * FNV_PRIME;
}

static void add_part(
	struct graph_contents *contents, const char *kind, uint32_t kernel, uint64_t bytes)
{
	struct gpu_graph_part *part = contents->parts;

	sign(contents, kind, strlen(kind) + 1);
	sign(contents, &bytes, sizeof(bytes));
	for (size_t i = 0; part && i < contents->count; i++, part++) {
		if (part->kernel == kernel && part->bytes == bytes && part->kind == kind) {
			part->count++;
			return;
		}
	}
	if (contents->count == contents->capacity) {
		contents->capacity = contents->capacity * 2 + 16;
		part = realloc(contents->parts, contents->capacity * sizeof(*part));
		if (!part)
			return;
		contents->parts = part;
	}
	/* Compared byte by byte, so that padding must be zero. */
	part = memset(&contents->parts[contents->count++], 0, sizeof(*part));
	part->kind = kind;
	part->kernel = kernel;
	part->bytes = bytes;
	part->count = 1;
}

static void add_kernel(struct graph_contents *contents, const struct graph_node *node)
{
	sign(contents, node->kernel.name, strlen(node->kernel.name) + 1);
	sign(contents, node->kernel.grid, sizeof(node->kernel.grid));
	sign(contents, node->kernel.block, sizeof(node->kernel.block));
	add_part(contents, "kernel", node->kernel.id, PWRTRACE_UNKNOWN_U64);
}

static void add_graph(struct graph_contents *contents, void *graph);

static void add_node(struct graph_contents *contents, void *handle)
{
	struct graph_node node = {0};

	if (!contents->api->look(handle, &node))
		return;
	contents->nodes += node.kind != GRAPH_NODE_GRAPH;
	if (node.kind == GRAPH_NODE_KERNEL) {
		add_kernel(contents, &node);
		plan(contents, handle, node.kernel.id, "kernel");
	} else if (node.kind == GRAPH_NODE_MEMORY) {
		add_part(contents, node.memory.kind, 0, node.memory.bytes);
		plan(contents, handle, 0, node.memory.kind);
	} else if (node.kind == GRAPH_NODE_GRAPH && node.graph) {
		add_graph(contents, node.graph);
	}
}

/* Returns the nodes, for free(), or NULL. */
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

static void add_graph(struct graph_contents *contents, void *graph)
{
	size_t count;
	void **nodes = nodes_of(contents->api, graph, &count);

	for (size_t i = 0; i < count; i++)
		add_node(contents, nodes[i]);
	free(nodes);
}

/* For all runtimes: their handles are addresses, which do not collide. */
static struct handles class_of_exec;
static struct handles nodes_of_exec;
static struct intern plans; /* struct planned_node [] */

void graph_learn(const struct graph_api *api, void *exec, void *graph)
{
	struct graph_contents contents = {.api = api, .signature = FNV_OFFSET};

	if (graph)
		add_graph(&contents, graph);
	handles_set(&class_of_exec, exec,
		graph ? gpu_add_graph(
				contents.signature, contents.nodes, contents.parts, contents.count)
		      : 0);
	handles_set(&nodes_of_exec, exec,
		contents.placed ? intern(&plans, contents.planned,
					  contents.planned_count * sizeof(*contents.planned))
				: 0);
	free(contents.parts);
	free(contents.planned);
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

uint32_t graph_class_of(void *exec)
{
	return handles_get(&class_of_exec, exec);
}

uint32_t graph_nodes_of(void *exec)
{
	return handles_get(&nodes_of_exec, exec);
}

/* ---- matching records with nodes ---- */

/* Some profilers do not tell shapes. */
static bool is_kernel(const struct planned_node *node, const struct gpu_kernel *kernel)
{
	const struct gpu_kernel *planned = node->kernel ? gpu_kernel(node->kernel) : NULL;

	return planned && planned->name == kernel->name &&
	       (!kernel->global[0] ||
		       (memcmp(planned->global, kernel->global, sizeof(kernel->global)) == 0 &&
			       memcmp(planned->local, kernel->local, sizeof(kernel->local)) == 0));
}

/* Some profilers do not tell the direction of a copy. */
static bool is_memory(const struct planned_node *node, const char *kind)
{
	return !node->kernel && (strcmp(node->kind, kind) == 0 || strcmp(kind, "copy") == 0);
}

/* Frees the flags once all nodes are matched, because the launch itself is kept for long. */
static void skip_matched(struct graph_matches *matches, uint32_t count)
{
	while (matches->first_unmatched < count && matches->matched[matches->first_unmatched])
		matches->first_unmatched++;
	if (matches->first_unmatched == count) {
		free(matches->matched);
		matches->matched = NULL;
	}
}

struct gpu_place graph_next_place(uint32_t nodes, struct graph_matches *matches,
	const struct gpu_kernel *kernel, const char *kind)
{
	const struct intern_key *key = nodes ? intern_get(&plans, nodes) : NULL;
	const struct planned_node *planned = key ? (const void *)key->bytes : NULL;
	uint32_t count = key ? key->length / (uint32_t)sizeof(*planned) : 0;

	if (!matches->matched && matches->first_unmatched < count)
		matches->matched = calloc(count, 1);
	for (uint32_t i = matches->first_unmatched; matches->matched && i < count; i++) {
		if (matches->matched[i] ||
			!(kernel ? is_kernel(&planned[i], kernel) : is_memory(&planned[i], kind)))
			continue;
		matches->matched[i] = 1;
		skip_matched(matches, count);
		return planned[i].place;
	}
	return (struct gpu_place){0, 0};
}
