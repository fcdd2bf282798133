/* SPDX-License-Identifier: MIT */
#include "analyzer/model/model.h"

#include <string.h>

#include "analyzer/model/call_tree.h"
#include "analyzer/model/collective.h"
#include "analyzer/model/order.h"

const struct model_process *model_process_of(
	const struct model *model, const struct model_origin *origin)
{
	return &g_array_index(model->processes, struct model_process, origin->process);
}

const struct model_device *model_device_of(
	const struct model *model, const struct model_origin *origin)
{
	const struct model_process *process = model_process_of(model, origin);
	const struct model_stream *stream = table_find(process->streams, origin->stream);

	return stream ? table_find(process->devices, stream->device) : NULL;
}

const struct model_kernel *model_kernel_of(
	const struct model *model, const struct model_origin *origin)
{
	const struct model_kernel *kernel =
		origin_is_kernel(origin)
			? table_find(model_process_of(model, origin)->kernels, origin->kernel)
			: NULL;

	return kernel && kernel->defined ? kernel : NULL;
}

const struct model_graph *model_graph_of(
	const struct model *model, const struct model_origin *origin)
{
	const struct model_graph *graph =
		(origin->kernel & ~(TABLE_LIMIT - 1)) == MODEL_IS_GRAPH
			? table_find(model_process_of(model, origin)->graphs,
				  origin->kernel & (TABLE_LIMIT - 1))
			: NULL;

	return graph && graph->defined ? graph : NULL;
}

const struct model_gpu *model_gpu_at(const struct model *model, const struct model_origin *origin)
{
	return MODEL_AT(model->gpus, struct model_gpu, origin->gpu);
}

uint64_t model_last_ns(const struct model *model, unsigned trace)
{
	const uint64_t *last_ns = MODEL_AT(model->last_ns, uint64_t, trace);

	return last_ns ? *last_ns : 0;
}

struct model *model_new(bool layers)
{
	struct model *model = g_new0(struct model, 1);

	model->directories = g_ptr_array_new();
	model->processes = g_array_new(FALSE, TRUE, sizeof(struct model_process));
	model->gpus = g_array_new(FALSE, TRUE, sizeof(struct model_gpu));
	model->memories = g_array_new(FALSE, TRUE, sizeof(struct model_memory));
	model->origins = origins_new();
	model->executions = mapped_array_new(sizeof(struct model_execution));
	model->recordings = g_array_new(FALSE, TRUE, sizeof(struct model_recording));
	model->sensors = g_array_new(FALSE, TRUE, sizeof(struct model_sensor));
	model->state_sensors = g_array_new(FALSE, TRUE, sizeof(struct model_state_sensor));
	model->tags = g_array_new(FALSE, TRUE, sizeof(struct model_tag));
	model->marks = g_array_new(FALSE, TRUE, sizeof(struct model_mark));
	model->lost = g_array_new(FALSE, TRUE, sizeof(struct model_lost));
	model->replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	model->clocks = g_array_new(FALSE, FALSE, sizeof(struct model_clock));
	model->collectives = collectives_new();
	if (layers) {
		model->ranges = mapped_array_new_unfailing(sizeof(struct model_range));
		model->mark_times = g_array_new(FALSE, FALSE, sizeof(struct model_mark_time));
	}
	model->last_ns = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	model->strings = g_string_chunk_new(4096);
	return model;
}

static void free_process(const struct model_process *process)
{
	for (uint32_t id = 1; id < table_end(process->graphs); id++) {
		const struct model_graph *graph = table_find(process->graphs, id);

		if (graph && graph->parts)
			g_array_free(graph->parts, TRUE);
	}
	table_free(process->kernels);
	table_free(process->streams);
	table_free(process->layers);
	table_free(process->devices);
	table_free(process->graphs);
	table_free(process->modules);
	table_free(process->functions);
	table_free(process->stacks);
}

void model_free(struct model *model)
{
	GArray **arrays[] = {&model->gpus, &model->memories, &model->recordings, &model->tags,
		&model->marks, &model->lost, &model->replays, &model->clocks, &model->mark_times,
		&model->last_ns};

	for (guint i = 0; i < model->processes->len; i++)
		free_process(&g_array_index(model->processes, struct model_process, i));
	g_array_free(model->processes, TRUE);
	for (guint i = 0; i < model->sensors->len; i++) {
		g_array_free(g_array_index(model->sensors, struct model_sensor, i).readings, TRUE);
		g_array_free(g_array_index(model->sensors, struct model_sensor, i).taps, TRUE);
	}
	g_array_free(model->sensors, TRUE);
	for (guint i = 0; i < model->state_sensors->len; i++)
		g_array_free(
			g_array_index(model->state_sensors, struct model_state_sensor, i).states,
			TRUE);
	g_array_free(model->state_sensors, TRUE);
	for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
		if (*arrays[i])
			g_array_free(*arrays[i], TRUE);
	mapped_array_free(model->executions);
	mapped_array_free(model->ranges);
	model_order_free(model->order);
	collectives_free(model->collectives);
	g_ptr_array_free(model->directories, TRUE);
	origins_free(model->origins);
	call_tree_free((struct call_tree *)model->call_tree);
	g_string_chunk_free(model->strings);
	g_free(model);
}
