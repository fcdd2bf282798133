/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

void take_process(struct loader *loader, unsigned trace, const struct pwrtrace_process *e)
{
	struct model_process *process = loader_process_at(loader, trace, e->process);

	/* A second event of a process, with another time: it has called exec.  Since schema 2 that
	 * makes another process. */
	process->cut_off |=
		process->begin_ns && process->begin_ns != e->begin_ns && !process->ended;
	process->pid = e->pid;
	process->begin_ns = e->begin_ns;
	process->ended = false;
	process->end_ns = 0;
	process->host = loader_text(loader, e->host);
	process->machine = loader_machine(loader, e->host, e->boot_id);
	process->executable = loader_text(loader, e->executable);
	loader_schema(loader, e->schema);
}

void take_process_end(struct loader *loader, unsigned trace, const struct pwrtrace_process_end *e)
{
	struct model_process *process = loader_process_at(loader, trace, e->process);

	process->ended = true;
	process->end_ns = e->end_ns == PWRTRACE_UNKNOWN_U64 ? 0 : e->end_ns;
}

void take_device(struct loader *loader, unsigned trace, const struct pwrtrace_device *e)
{
	struct model_device *device =
		table_slot(loader_process_at(loader, trace, e->process)->devices, e->device);

	if (device)
		*device = (struct model_device){true, e->parent_device, e->compute_units,
			loader_text(loader, e->api), loader_text(loader, e->kind),
			loader_text(loader, e->name), loader_text(loader, e->uuid),
			loader_text(loader, e->pci), MODEL_NONE};
}

void take_stream_def(struct loader *loader, unsigned trace, const struct pwrtrace_stream_def *e)
{
	struct model_stream *stream =
		table_slot(loader_process_at(loader, trace, e->process)->streams, e->stream);

	if (stream)
		*stream = (struct model_stream){true, e->out_of_order == 1, e->device, e->context,
			e->clock == PWRTRACE_UNKNOWN_U32 ? 0 : e->clock};
}

void take_kernel_def(struct loader *loader, unsigned trace, const struct pwrtrace_kernel_def *e)
{
	struct model_kernel *kernel =
		table_slot(loader_process_at(loader, trace, e->process)->kernels, e->kernel);

	if (kernel)
		*kernel = (struct model_kernel){true, loader_text(loader, e->api),
			loader_text(loader, e->name), {e->global_x, e->global_y, e->global_z},
			{e->local_x, e->local_y, e->local_z},
			{e->registers, e->scalar_registers, e->accumulation_registers,
				e->shared_bytes, e->scratch_bytes, e->kernarg_bytes,
				e->wavefront_size, loader_text(loader, e->arguments)}};
}

void take_layer_def(struct loader *loader, unsigned trace, const struct pwrtrace_layer_def *e)
{
	struct model_layer *layer =
		table_slot(loader_process_at(loader, trace, e->process)->layers, e->layer);

	/* A parent always has a smaller id.  A damaged trace must not make a circle. */
	if (layer && e->parent_layer < e->layer)
		*layer = (struct model_layer){true, e->parent_layer, loader_text(loader, e->name)};
}

void take_module_def(struct loader *loader, unsigned trace, const struct pwrtrace_module_def *e)
{
	struct model_module *module =
		table_slot(loader_process_at(loader, trace, e->process)->modules, e->module);

	if (module)
		*module = (struct model_module){
			true, loader_text(loader, e->path), loader_text(loader, e->build_id)};
}

void take_stack_def(struct loader *loader, unsigned trace, const struct pwrtrace_stack_def *e)
{
	struct model_stack *stack =
		table_slot(loader_process_at(loader, trace, e->process)->stacks, e->stack);

	/* No circles, as with layers. */
	if (stack && (e->parent_stack < e->stack || e->parent_stack == PWRTRACE_UNKNOWN_U32))
		*stack = (struct model_stack){
			true, e->parent_stack, e->module, e->function, e->address};
}

void take_function_def(struct loader *loader, unsigned trace, const struct pwrtrace_function_def *e)
{
	struct model_function *function =
		table_slot(loader_process_at(loader, trace, e->process)->functions, e->function);

	if (function)
		*function = (struct model_function){
			true, loader_text(loader, e->name), loader_text(loader, e->file), e->line};
}

/* Events graph_part with its parts follow. */
void take_graph_def(struct loader *loader, unsigned trace, const struct pwrtrace_graph_def *e)
{
	struct model_graph *graph =
		table_slot(loader_process_at(loader, trace, e->process)->graphs, e->graph);

	if (!graph)
		return;
	graph->defined = true;
	graph->nodes = e->nodes;
	graph->signature = loader_text(loader, e->signature);
	if (graph->parts)
		g_array_set_size(graph->parts, 0);
}

void take_graph_part(struct loader *loader, unsigned trace, const struct pwrtrace_graph_part *e)
{
	struct model_graph *graph =
		table_slot(loader_process_at(loader, trace, e->process)->graphs, e->graph);
	struct model_graph_part part = {
		e->kernel, e->count, e->bytes, loader_text(loader, e->kind)};

	if (!graph)
		return;
	if (!graph->parts)
		graph->parts = g_array_new(FALSE, FALSE, sizeof(part));
	g_array_append_val(graph->parts, part);
}
