/* SPDX-License-Identifier: MIT */
#include "analyzer/load/loader.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/clocks.h"
#include "analyzer/load/join.h"
#include "analyzer/load/waits.h"
#include "analyzer/print/text.h"

struct loader *loader_new(bool layers)
{
	struct loader *loader = g_new0(struct loader, 1);

	loader->model = model_new(layers);
	loader->clocks = clocks_new();
	loader->join = join_new();
	loader->waits = waits_new();
	loader->calls = mapped_array_new(sizeof(struct launch_call));
	loader->long_times = g_array_new(FALSE, FALSE, sizeof(struct pwrtrace_long_times));
	loader->in_flight = g_array_new(FALSE, TRUE, sizeof(struct in_flight));
	loader->memory_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	loader->mark_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	loader->paths = g_hash_table_new_full(g_str_hash, g_str_equal, free, NULL);
	return loader;
}

void loader_free(struct loader *loader)
{
	clocks_free(loader->clocks);
	join_free(loader->join);
	waits_free(loader->waits);
	mapped_array_free(loader->calls);
	g_array_free(loader->long_times, TRUE);
	g_array_free(loader->in_flight, TRUE);
	g_hash_table_destroy(loader->memory_index);
	g_hash_table_destroy(loader->mark_index);
	g_hash_table_destroy(loader->paths);
	g_free(loader);
}

const char *loader_text(struct loader *loader, const char *text)
{
	const char *kept;
	char *valid;

	if (g_utf8_validate(text, -1, NULL))
		return g_string_chunk_insert_const(loader->model->strings, text);
	valid = text_valid(text);
	kept = g_string_chunk_insert_const(loader->model->strings, valid);
	g_free(valid);
	return kept;
}

const char *loader_machine(struct loader *loader, const char *host, const char *boot_id)
{
	return loader_text(loader, *boot_id ? boot_id : host);
}

void loader_schema(struct loader *loader, uint32_t schema)
{
	if (schema != PWRTRACE_UNKNOWN_U32)
		loader->newest_schema = MAX(loader->newest_schema, schema);
}

void loader_reach(struct loader *loader, unsigned trace, uint64_t time_ns)
{
	GArray *all = loader->model->last_ns;
	uint64_t *last_ns;

	if (trace >= all->len)
		g_array_set_size(all, trace + 1);
	last_ns = &g_array_index(all, uint64_t, trace);
	*last_ns = MAX(*last_ns, time_ns);
}

static struct model_process *process_at(const struct loader *loader, uint32_t index)
{
	return &g_array_index(loader->model->processes, struct model_process, index);
}

static uint32_t add_process(struct loader *loader, unsigned trace, uint32_t number)
{
	const struct model_process fresh = {.trace = trace,
		.number = number,
		.pid = number,
		.host = "",
		.machine = "",
		.executable = "",
		.kernels = table_new(sizeof(struct model_kernel)),
		.streams = table_new(sizeof(struct model_stream)),
		.layers = table_new(sizeof(struct model_layer)),
		.devices = table_new(sizeof(struct model_device)),
		.graphs = table_new(sizeof(struct model_graph)),
		.modules = table_new(sizeof(struct model_module)),
		.functions = table_new(sizeof(struct model_function)),
		.stacks = table_new(sizeof(struct model_stack))};

	g_array_append_val(loader->model->processes, fresh);
	return loader->model->processes->len - 1;
}

uint32_t loader_process(struct loader *loader, unsigned trace, uint32_t number)
{
	if (loader->last_process < loader->model->processes->len) {
		const struct model_process *last = process_at(loader, loader->last_process);

		if (last->number == number && last->trace == trace)
			return loader->last_process;
	}
	for (guint i = 0; i < loader->model->processes->len; i++) {
		const struct model_process *known = process_at(loader, i);

		if (known->number == number && known->trace == trace)
			return loader->last_process = i;
	}
	return loader->last_process = add_process(loader, trace, number);
}

struct model_process *loader_process_at(struct loader *loader, unsigned trace, uint32_t number)
{
	return process_at(loader, loader_process(loader, trace, number));
}
