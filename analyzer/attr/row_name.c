/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/row_name.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

static char *demangled(const char *name)
{
	char *plain = cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI);
	char *copy = g_strdup(plain ? plain : name);

	free(plain);
	return copy;
}

/* Without template arguments, parameters and return type. */
static char *shortened(const char *name)
{
	char *plain = cplus_demangle(name, DMGL_NO_OPTS);
	char *copy = g_strdup(plain ? plain : name);
	char *space;

	if (plain) {
		copy[strcspn(copy, "<(")] = 0;
		space = strrchr(copy, ' ');
		if (space && space[1])
			memmove(copy, space + 1, strlen(space));
	}
	free(plain);
	return copy;
}

static char *shape_of(const struct model_kernel *kernel)
{
	GString *text = g_string_new(NULL);
	int last = kernel->global[2] > 1 ? 2 : kernel->global[1] > 1 ? 1 : 0;

	for (int i = 0; i <= last; i++)
		g_string_append_printf(
			text, "%s%" G_GUINT64_FORMAT, i ? "×" : "", kernel->global[i]);
	if (kernel->local[0]) {
		g_string_append(text, " /");
		for (int i = 0; i <= last; i++)
			g_string_append_printf(text, "%s%u", i ? "×" : "", kernel->local[i]);
	}
	return g_string_free(text, FALSE);
}

static void name_memory(const struct model_memory *memory, struct ledger_row *row)
{
	row->short_name = g_strdup(memory->name);
	row->name = g_strdup(memory->name);
	if (memory->bytes == PWRTRACE_UNKNOWN_U64)
		row->shape = g_strdup(memory->kind);
	else
		row->shape =
			g_strdup_printf("%s %" G_GUINT64_FORMAT " B", memory->kind, memory->bytes);
}

void row_name_kernel(
	struct ledger *ledger, const struct model_execution *execution, struct ledger_row *row)
{
	const struct model_process *process = model_process_of(ledger->model, execution);
	const struct model_kernel *kernel;

	if (execution->kernel & MODEL_IS_MEMORY) {
		name_memory(&g_array_index(ledger->model->memories, struct model_memory,
				    execution->kernel & ~MODEL_IS_MEMORY),
			row);
		return;
	}
	kernel = table_find(process->kernels, execution->kernel);
	if (!kernel || !kernel->defined) {
		row->name = g_strdup("(unknown kernel)");
		row->short_name = g_strdup(row->name);
		return;
	}
	row->api = kernel->api;
	row->name = demangled(kernel->name);
	row->short_name = shortened(kernel->name);
	row->shape = shape_of(kernel);
}

void row_name_layer(
	struct ledger *ledger, const struct model_execution *execution, struct ledger_row *row)
{
	row->layer = layer_tree_node(
		ledger->layers, model_process_of(ledger->model, execution), execution->layer);
	row->name = layer_tree_path(ledger->layers, row->layer);
	row->short_name = g_strdup(layer_tree_name(ledger->layers, row->layer));
	/* A layer may run on several devices. */
	row->device = "";
}

void row_name_stream(
	struct ledger *ledger, const struct model_execution *execution, struct ledger_row *row)
{
	row->short_name = g_strdup_printf("stream %u", execution->stream);
	row->name = g_strdup_printf("process %u, stream %u",
		model_process_of(ledger->model, execution)->pid, execution->stream);
}

void row_name_device(
	struct ledger *ledger, const struct model_execution *execution, struct ledger_row *row)
{
	const struct model_gpu *gpu = model_gpu_at(ledger->model, execution);

	row->name = g_strdup(gpu ? gpu->name : "(unknown device)");
	row->short_name = g_strdup(row->name);
}

void row_name_process(
	struct ledger *ledger, const struct model_execution *execution, struct ledger_row *row)
{
	const struct model_process *process = model_process_of(ledger->model, execution);

	row->short_name = g_path_get_basename(process->executable);
	row->name = g_strdup_printf("%s, process %u on %s", row->short_name, process->pid,
		*process->host ? process->host : "an unknown host");
	row->device = "";
}
