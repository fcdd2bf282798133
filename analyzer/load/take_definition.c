/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

static struct model_process *process_at(struct model *model, uint32_t index)
{
	return &g_array_index(model->processes, struct model_process, index);
}

static uint32_t add_process(struct model *model, unsigned trace, uint32_t pid)
{
	const struct model_process fresh = {.trace = trace,
		.pid = pid,
		.host = "",
		.machine = "",
		.executable = "",
		.kernels = table_new(sizeof(struct model_kernel)),
		.streams = table_new(sizeof(struct model_stream)),
		.layers = table_new(sizeof(struct model_layer)),
		.devices = table_new(sizeof(struct model_device)),
		.clocks = table_new(sizeof(struct model_clock)),
		.graphs = table_new(sizeof(struct model_graph)),
		.modules = table_new(sizeof(struct model_module)),
		.functions = table_new(sizeof(struct model_function)),
		.stacks = table_new(sizeof(struct model_stack))};

	g_array_append_val(model->processes, fresh);
	return model->processes->len - 1;
}

uint32_t take_process_index(struct model *model, unsigned trace, uint32_t pid)
{
	if (model->last_process < model->processes->len) {
		const struct model_process *last = process_at(model, model->last_process);

		if (last->pid == pid && last->trace == trace)
			return model->last_process;
	}
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *known = process_at(model, i);

		if (known->pid == pid && known->trace == trace)
			return model->last_process = i;
	}
	return model->last_process = add_process(model, trace, pid);
}

struct model_process *take_process_of(struct model *model, unsigned trace, uint32_t pid)
{
	return process_at(model, take_process_index(model, trace, pid));
}

void take_process(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_process *e = record;
	struct model_process *process = take_process_of(model, trace, e->pid);

	/* An exec makes another program of a process. */
	process->cut_off |=
		process->begin_ns && process->begin_ns != e->begin_ns && !process->ended;
	process->begin_ns = e->begin_ns;
	process->ended = false;
	process->end_ns = 0;
	process->host = take_text(model, e->host);
	process->machine = take_machine(model, e->host, e->boot_id);
	process->executable = take_text(model, e->executable);
	take_schema(model, e->schema);
}

void take_process_end(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_process_end *e = record;

	struct model_process *process = take_process_of(model, trace, e->pid);

	process->ended = true;
	process->end_ns = e->end_ns == PWRTRACE_UNKNOWN_U64 ? 0 : e->end_ns;
}

void take_device(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_device *e = record;
	struct model_device *device =
		table_slot(take_process_of(model, trace, e->pid)->devices, e->device);

	if (device)
		*device = (struct model_device){true, e->parent_device, e->compute_units,
			take_text(model, e->api), take_text(model, e->kind),
			take_text(model, e->name), take_text(model, e->uuid),
			take_text(model, e->pci), MODEL_NONE, device->clock};
}

void take_stream_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_stream_def *e = record;
	struct model_stream *stream =
		table_slot(take_process_of(model, trace, e->pid)->streams, e->stream);

	if (stream)
		*stream = (struct model_stream){true, e->out_of_order == 1, e->device, e->context,
			e->clock == PWRTRACE_UNKNOWN_U32 ? 0 : e->clock};
}

void take_kernel_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_kernel_def *e = record;
	struct model_kernel *kernel =
		table_slot(take_process_of(model, trace, e->pid)->kernels, e->kernel);

	if (kernel)
		*kernel = (struct model_kernel){true, take_text(model, e->api),
			take_text(model, e->name), {e->global_x, e->global_y, e->global_z},
			{e->local_x, e->local_y, e->local_z},
			{e->registers, e->scalar_registers, e->accumulation_registers,
				e->shared_bytes, e->scratch_bytes, e->kernarg_bytes,
				e->wavefront_size, take_text(model, e->arguments)}};
}

void take_layer_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_layer_def *e = record;
	struct model_layer *layer =
		table_slot(take_process_of(model, trace, e->pid)->layers, e->layer);

	/* A parent is always older: a trace that says otherwise must not send us in circles. */
	if (layer && e->parent_layer < e->layer)
		*layer = (struct model_layer){true, e->parent_layer, take_text(model, e->name)};
}

void take_module_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_module_def *e = record;
	struct model_module *module =
		table_slot(take_process_of(model, trace, e->pid)->modules, e->module);

	if (module)
		*module = (struct model_module){
			true, take_text(model, e->path), take_text(model, e->build_id)};
}

void take_stack_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_stack_def *e = record;
	struct model_stack *stack =
		table_slot(take_process_of(model, trace, e->pid)->stacks, e->stack);

	/* As with layers. */
	if (stack && (e->parent_stack < e->stack || e->parent_stack == PWRTRACE_UNKNOWN_U32))
		*stack = (struct model_stack){
			true, e->parent_stack, e->module, e->function, e->address};
}

void take_function_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_function_def *e = record;
	struct model_function *function =
		table_slot(take_process_of(model, trace, e->pid)->functions, e->function);

	if (function)
		*function = (struct model_function){
			true, take_text(model, e->name), take_text(model, e->file), e->line};
}

/* Its parts follow. */
void take_graph_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_graph_def *e = record;
	struct model_graph *graph =
		table_slot(take_process_of(model, trace, e->pid)->graphs, e->graph);

	if (!graph)
		return;
	graph->defined = true;
	graph->nodes = e->nodes;
	graph->signature = take_text(model, e->signature);
	if (graph->parts)
		g_array_set_size(graph->parts, 0);
}

void take_graph_part(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_graph_part *e = record;
	struct model_graph *graph =
		table_slot(take_process_of(model, trace, e->pid)->graphs, e->graph);
	struct model_graph_part part = {e->kernel, e->count, e->bytes, take_text(model, e->kind)};

	if (!graph)
		return;
	if (!graph->parts)
		graph->parts = g_array_new(FALSE, FALSE, sizeof(part));
	g_array_append_val(graph->parts, part);
}
