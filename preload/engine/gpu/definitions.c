/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/intern.h"
#include "preload/common/layer.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/short_name.h"

/* Records are never removed and their ids are consecutive: so the last id that was written tells
 * which definitions the trace has. */
static struct intern devices;
static struct intern streams;
static struct intern names;
static struct intern kernels;
static struct intern graphs;

/* Streams and classes of kernels that there was no id for. */
static uint64_t lost_streams, lost_kernels;

static const void *record(const struct intern *set, uint32_t id)
{
	return intern_get(set, id)->bytes;
}

uint32_t gpu_add_device(const struct pwrtrace_device *device)
{
	return intern(&devices, device, sizeof(*device));
}

uint32_t gpu_device_at(struct gpu_ordinals *ordinals, int ordinal)
{
	uint32_t id;

	if (ordinal < 0 || ordinal >= GPU_ORDINALS_MAX)
		return ordinals->add(ordinal);
	id = __atomic_load_n(&ordinals->known[ordinal], __ATOMIC_RELAXED);
	if (!id) {
		id = ordinals->add(ordinal);
		__atomic_store_n(&ordinals->known[ordinal], id, __ATOMIC_RELAXED);
	}
	return id;
}

uint32_t gpu_add_stream(const struct gpu_stream *stream)
{
	static uint32_t last_serial;
	struct gpu_stream unique = *stream;

	uint32_t id;

	unique.serial = __atomic_add_fetch(&last_serial, 1, __ATOMIC_RELAXED);
	id = intern(&streams, &unique, sizeof(unique));
	if (!id)
		__atomic_fetch_add(&lost_streams, 1, __ATOMIC_RELAXED);
	return id;
}

const struct gpu_stream *gpu_stream(uint32_t stream)
{
	static const struct gpu_stream unknown;

	return stream ? record(&streams, stream) : &unknown;
}

uint32_t gpu_add_name(const char *name)
{
	return intern(&names, name, strlen(name));
}

const char *gpu_name(uint32_t name)
{
	return name ? record(&names, name) : "";
}

const char *gpu_short_name(uint32_t name)
{
	static char(*made)[SHORT_NAME_MAX + 1]; /* by name; "": not made yet */
	static uint32_t room;

	if (name >= room) {
		uint32_t more_room = name * 2 + 64;
		void *more = realloc(made, more_room * sizeof(*made));

		if (!more)
			return "";
		made = more;
		memset(made + room, 0, (more_room - room) * sizeof(*made));
		room = more_room;
	}
	if (!*made[name])
		short_name(made[name], gpu_name(name));
	return made[name];
}

uint32_t gpu_kernel_class(const struct gpu_kernel *kernel)
{
	/* Those that were found last, as looking one up takes several times as long as this. */
	static uint32_t found[1024];
	uint32_t *last = &found[(kernel->name * 61 + kernel->global[0] + kernel->global[1]) %
				(sizeof(found) / sizeof(*found))];
	uint32_t id = __atomic_load_n(last, __ATOMIC_ACQUIRE);

	if (id && memcmp(gpu_kernel(id), kernel, sizeof(*kernel)) == 0)
		return id;
	id = intern(&kernels, kernel, sizeof(*kernel));
	if (!id)
		__atomic_fetch_add(&lost_kernels, 1, __ATOMIC_RELAXED);
	__atomic_store_n(last, id, __ATOMIC_RELEASE);
	return id;
}

const struct gpu_kernel *gpu_kernel(uint32_t kernel)
{
	static const struct gpu_kernel unknown;

	return kernel ? record(&kernels, kernel) : &unknown;
}

struct graph_definition {
	uint64_t signature;
	uint32_t nodes;
	uint32_t count;
	struct gpu_graph_part parts[];
};

uint32_t gpu_add_graph(
	uint64_t signature, uint32_t nodes, const struct gpu_graph_part *parts, size_t count)
{
	size_t bytes = sizeof(struct graph_definition) + count * sizeof(*parts);
	struct graph_definition *graph = malloc(bytes);
	uint32_t id;

	if (!graph)
		return 0;
	*graph = (struct graph_definition){signature, nodes, (uint32_t)count};
	memcpy(graph->parts, parts, count * sizeof(*parts));
	id = intern(&graphs, graph, bytes);
	free(graph);
	return id;
}

/* ---- writing them ---- */

static void write_device(uint32_t id, const void *key)
{
	struct pwrtrace_device event;

	memcpy(&event, key, sizeof(event));
	event.process = process_number;
	event.device = id;
	tp_device(&event);
}

static void write_stream(uint32_t id, const void *key)
{
	const struct gpu_stream *stream = key;

	tp_stream_def(&(struct pwrtrace_stream_def){.process = process_number,
		.stream = id,
		.context = stream->context,
		.device = stream->device,
		.out_of_order = stream->out_of_order,
		.clock = stream->clock});
}

static void write_kernel(uint32_t id, const void *key)
{
	const struct gpu_kernel *kernel = key;
	const char *name = gpu_name(kernel->name);
	struct gpu_code code = kernel->api->code ? kernel->api->code(name) : GPU_CODE_UNKNOWN;

	/* What the launch itself says takes precedence. */
	if (kernel->registers != PWRTRACE_UNKNOWN_U32)
		code.registers = kernel->registers;
	if (kernel->shared_bytes != PWRTRACE_UNKNOWN_U32)
		code.shared_bytes = kernel->shared_bytes;
	tp_kernel_def(&(struct pwrtrace_kernel_def){.process = process_number,
		.kernel = id,
		.global_x = kernel->global[0],
		.global_y = kernel->global[1],
		.global_z = kernel->global[2],
		.local_x = kernel->local[0],
		.local_y = kernel->local[1],
		.local_z = kernel->local[2],
		.shared_bytes = code.shared_bytes,
		.registers = code.registers,
		.api = kernel->api->name,
		.name = name,
		.scalar_registers = code.scalar_registers,
		.accumulation_registers = code.accumulation_registers,
		.scratch_bytes = code.scratch_bytes,
		.kernarg_bytes = code.kernarg_bytes,
		.wavefront_size = code.wavefront_size,
		.arguments = gpu_name(code.arguments)});
}

static void write_graph(uint32_t id, const void *key)
{
	const struct graph_definition *graph = key;
	char signature[17];

	snprintf(signature, sizeof(signature), "%016" PRIx64, graph->signature);
	tp_graph_def(&(struct pwrtrace_graph_def){.process = process_number,
		.graph = id,
		.nodes = graph->nodes,
		.signature = signature});
	for (uint32_t i = 0; i < graph->count; i++)
		tp_graph_part(&(struct pwrtrace_graph_part){.process = process_number,
			.graph = id,
			.kernel = graph->parts[i].kernel,
			.count = graph->parts[i].count,
			.bytes = graph->parts[i].bytes,
			.kind = graph->parts[i].kind});
}

static void write_layer(uint32_t id, const void *key)
{
	const struct layer_key *layer = key;

	tp_layer_def(&(struct pwrtrace_layer_def){.process = process_number,
		.layer = id,
		.parent_layer = layer->parent,
		.source = layer_text(layer, LAYER_SOURCE),
		.name = layer_text(layer, LAYER_NAME),
		.category = layer_text(layer, LAYER_CATEGORY)});
}

/* In an order in which definitions name only those of tables before their own. */
enum { DEVICES, STREAMS, KERNELS, GRAPHS, LAYERS, TABLES };

static struct {
	const struct intern *set;
	void (*write)(uint32_t id, const void *key);
	uint32_t written;
} tables[TABLES] = {
	[DEVICES] = {&devices, write_device, 0},
	[STREAMS] = {&streams, write_stream, 0},
	[KERNELS] = {&kernels, write_kernel, 0},
	[GRAPHS] = {&graphs, write_graph, 0},
	[LAYERS] = {NULL, write_layer, 0},
};

void gpu_definitions_start(const struct engine_host *host)
{
	tables[LAYERS].set = host->layer_tree;
}

static void write_new(int table, bool anew)
{
	uint32_t count = intern_count(tables[table].set);

	if (anew)
		tables[table].written = 0;
	while (tables[table].written < count) {
		uint32_t id = ++tables[table].written;

		tables[table].write(id, record(tables[table].set, id));
	}
}

void gpu_write_definitions(bool anew)
{
	static const char no_room[] = "there was no memory for it, or there are more than ids";

	callstack_write(anew);
	for (int table = 0; table < TABLES; table++)
		write_new(table, anew);
	lost_write("stream_def", no_room, __atomic_exchange_n(&lost_streams, 0, __ATOMIC_RELAXED));
	lost_write("kernel_def", no_room, __atomic_exchange_n(&lost_kernels, 0, __ATOMIC_RELAXED));
}

void gpu_define(uint32_t stream, uint32_t kernel)
{
	if (stream <= tables[STREAMS].written && kernel <= tables[KERNELS].written)
		return;
	for (int table = 0; table <= KERNELS; table++)
		write_new(table, false);
}
