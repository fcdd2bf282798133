/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/row_name.h"

#include "analyzer/model/call_tree.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/origin_name.h"
#include "analyzer/name/kernel_name.h"
#include "analyzer/print/text.h"

static void name_plainly(struct ledger_row *row, const char *name)
{
	row->name = g_strdup(name);
	row->short_name = g_strdup(name);
}

static void name_memory(const struct model_memory *memory, struct ledger_row *row)
{
	row->kind = "memory";
	name_plainly(row, memory->name);
	row->shape = origin_name_memory_shape(memory->kind, memory->bytes);
}

static void name_graph(const struct model_process *process, const struct model_graph *graph,
	struct ledger_row *row)
{
	row->kind = "graph";
	if (!graph) {
		name_plainly(row, "(unknown graph)");
		return;
	}
	row->signature = graph->signature;
	row->name = origin_name_graph(process, graph);
	row->short_name = g_strdup_printf("graph %.8s", graph->signature);
	row->shape = origin_name_graph_shape(graph);
}

static void name_kernel(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	const struct model_kernel *kernel = model_kernel_of(model, origin);

	row->kind = "kernel";
	if (!kernel) {
		name_plainly(row, "(unknown kernel)");
		return;
	}
	row->api = kernel->api;
	row->code = &kernel->code;
	row->name = kernel_name_full(kernel->name);
	row->short_name = kernel_name_short(kernel->name);
	row->shape = origin_name_kernel_shape(kernel, collective_exchange_of(model, origin));
}

void row_name_kernel(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	if (origin->kernel & MODEL_IS_MEMORY)
		name_memory(&g_array_index(model->memories, struct model_memory,
				    origin->kernel & ~MODEL_IS_MEMORY),
			row);
	else if (origin->kernel & MODEL_IS_GRAPH)
		name_graph(model_process_of(model, origin), model_graph_of(model, origin), row);
	else
		name_kernel(model, origin, row);
}

void row_name_stream(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	const struct model_process *process = model_process_of(model, origin);
	char *place = hosts_place(model, process->host);
	char pid[TEXT_ID], stream[TEXT_ID];

	text_id(stream, origin->stream);
	row->short_name = g_strdup_printf("stream %s", stream);
	row->name = g_strdup_printf(
		"process %s%s, stream %s", text_id(pid, process->pid), place, stream);
	row->process = origin->process + 1;
	g_free(place);
}

void row_name_device(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	const struct model_gpu *gpu = model_gpu_at(model, origin);
	char *place = hosts_place(model, model_process_of(model, origin)->host);

	name_plainly(row, gpu ? gpu->name : "(unknown device)");
	/* A machine may have several devices of the same name, and others too. */
	row->shape = gpu && *gpu->uuid ? g_strdup(gpu->uuid)
				       : g_strchug(g_strconcat(gpu ? gpu->pci : "", place, NULL));
	g_free(place);
}

void row_name_process(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	const struct model_process *process = model_process_of(model, origin);
	char pid[TEXT_ID];

	row->short_name = *process->executable ? g_path_get_basename(process->executable)
					       : g_strdup("(unknown program)");
	row->name = g_strdup_printf("%s, process %s on %s", row->short_name,
		text_id(pid, process->pid), *process->host ? process->host : "an unknown host");
	row->process = origin->process + 1;
	row->device = "";
}

void row_name_stack(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	GPtrArray *names = call_tree_names(model->call_tree, origin->call);

	row_name_kernel(model, origin, row);
	row->call = origin->call;
	g_ptr_array_add(names, NULL);
	g_free(row->name);
	g_free(row->shape);
	row->name = g_strjoinv(" > ", (char **)names->pdata);
	row->shape = NULL;
	/* A path may lead to several devices, and to graphs that are not split here. */
	row->device = "";
	row->signature = "";
	g_ptr_array_free(names, TRUE);
}

void row_name_collective(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row)
{
	row->exchange = collective_exchange_of(model, origin);
	row->name = row->exchange ? collective_name(row->exchange) : g_strdup("(no collective)");
	row->short_name = g_strdup(row->name);
	row->shape = row->exchange && row->exchange->ranks
			     ? g_strdup_printf("%u ranks", row->exchange->ranks)
			     : NULL;
	/* Its ranks run on several devices. */
	row->device = "";
}
