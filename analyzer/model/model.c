/* SPDX-License-Identifier: MIT */
#include "analyzer/model/model.h"

#include <string.h>

#include "analyzer/clock/clock.h"
#include "analyzer/load/join.h"
#include "analyzer/load/retime.h"
#include "analyzer/load/take.h"
#include "analyzer/load/waits.h"
#include "analyzer/model/calls.h"
#include "analyzer/model/replays.h"
#include "analyzer/print/message.h"
#include "analyzer/trace/reader.h"

static struct model_process *process_at(struct model *model, uint32_t index)
{
	return &g_array_index(model->processes, struct model_process, index);
}

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

void model_reach(struct model *model, unsigned trace, uint64_t time_ns)
{
	uint64_t *last_ns;

	if (trace >= model->last_ns->len)
		g_array_set_size(model->last_ns, trace + 1);
	last_ns = &g_array_index(model->last_ns, uint64_t, trace);
	*last_ns = MAX(*last_ns, time_ns);
}

/* ---- when all has been read ---- */

static bool same_gpu(const struct model_gpu *a, const struct model_gpu *b)
{
	if (strcmp(a->machine, b->machine) != 0)
		return false;
	if (*a->uuid || *b->uuid)
		return strcmp(a->uuid, b->uuid) == 0;
	if (*a->pci || *b->pci)
		return strcmp(a->pci, b->pci) == 0;
	return strcmp(a->name, b->name) == 0 && strcmp(a->kind, b->kind) == 0;
}

static uint32_t gpu_index(struct model *model, const struct model_gpu *wanted)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (same_gpu(&g_array_index(model->gpus, struct model_gpu, i), wanted))
			return i;
	g_array_append_vals(model->gpus, wanted, 1);
	return model->gpus->len - 1;
}

static void resolve_devices(struct model *model, struct model_process *process)
{
	uint32_t ordinal = 0;

	for (uint32_t id = 1; id < table_end(process->devices); id++) {
		struct model_device *device = table_find(process->devices, id);
		const struct model_device *parent;

		if (!device || !device->defined)
			continue;
		if (device->parent) {
			parent = device->parent < id ? table_find(process->devices, device->parent)
						     : NULL;
			device->gpu = parent && parent->defined ? parent->gpu : MODEL_NONE;
			continue;
		}
		device->gpu = gpu_index(
			model, &(struct model_gpu){process->machine, device->api, device->kind,
				       device->name, device->uuid, device->pci, ordinal,
				       device->compute_units});
		ordinal++;
	}
}

static void resolve_origins(struct model *model)
{
	for (guint i = 0; i < model->origins->list->len; i++) {
		struct model_origin *origin =
			&g_array_index(model->origins->list, struct model_origin, i);
		const struct model_device *device = model_device_of(model, origin);

		origin->gpu = device && device->defined ? device->gpu : MODEL_NONE;
	}
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct model_execution *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void sort_executions(GArray *executions)
{
	for (guint i = 1; i < executions->len; i++) {
		if (by_begin(&g_array_index(executions, struct model_execution, i - 1),
			    &g_array_index(executions, struct model_execution, i)) > 0) {
			g_array_sort(executions, by_begin);
			return;
		}
	}
}

static void find_cut_off(struct model *model)
{
	for (guint i = 0; i < model->processes->len; i++) {
		struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);

		process->cut_off |= process->begin_ns && !process->ended;
	}
}

static void resolve(struct model *model)
{
	for (guint i = 0; i < model->processes->len; i++)
		resolve_devices(model, process_at(model, i));
	resolve_origins(model);
	waits_order(model);
	retime(model);
	for (guint i = 0; i < model->recordings->len; i++) {
		struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (!recording->span.end_ns)
			recording->span.end_ns = MAX(
				model_last_ns(model, recording->trace), recording->span.begin_ns);
	}
	take_end_of_sensors(model);
	model->unfinished = join_waiting(model->join);
	join_free(model->join);
	model->join = NULL;
	find_cut_off(model);
	sort_executions(model->executions);
	replays_mark(model);
	if (model->newest_schema > PWRTRACE_SCHEMA)
		message_warn("the trace is of schema %u, this pwrtrace knows %u: what is newer is "
			     "left out",
			model->newest_schema, PWRTRACE_SCHEMA);
}

/* Events, also such as are known to be missing. */
static uint64_t events_of(const struct model *model)
{
	uint64_t sum = model->damaged + model->discarded;

	for (size_t i = 0; i < PWRTRACE_EV_COUNT; i++)
		sum += model->event_count[i];
	return sum;
}

/* Returns false after saying why there is nothing in it. */
static bool read_directory(
	const struct model *model, const char *directory, const struct reader_sink *sink)
{
	uint64_t before = events_of(model);

	if (reader_read(directory, sink) < 0)
		return false;
	if (events_of(model) == before)
		message_error("%s holds no event of pwrtrace; record with pwrtrace record, or "
			      "enable pwrtrace:* in a session of your own",
			directory);
	return events_of(model) > before;
}

struct model *model_load(char *const *directories, bool layers)
{
	struct model *model = g_new0(struct model, 1);
	struct reader_sink sink = {.event = take_event,
		.wants = take_wants,
		.damaged = take_damaged,
		.discarded = take_discarded,
		.data = model};

	model->directories = g_ptr_array_new();
	model->processes = g_array_new(FALSE, TRUE, sizeof(struct model_process));
	model->gpus = g_array_new(FALSE, TRUE, sizeof(struct model_gpu));
	model->memories = g_array_new(FALSE, TRUE, sizeof(struct model_memory));
	model->origins = origins_new();
	model->executions = g_array_new(FALSE, FALSE, sizeof(struct model_execution));
	model->recordings = g_array_new(FALSE, TRUE, sizeof(struct model_recording));
	model->sensors = g_array_new(FALSE, TRUE, sizeof(struct model_sensor));
	model->state_sensors = g_array_new(FALSE, TRUE, sizeof(struct model_state_sensor));
	model->tags = g_array_new(FALSE, TRUE, sizeof(struct model_tag));
	model->marks = g_array_new(FALSE, TRUE, sizeof(struct model_mark));
	model->lost = g_array_new(FALSE, TRUE, sizeof(struct model_lost));
	model->replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	if (layers) {
		model->ranges = g_array_new(FALSE, FALSE, sizeof(struct model_range));
		model->mark_times = g_array_new(FALSE, FALSE, sizeof(struct model_mark_time));
	}
	model->last_ns = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	model->raw_times = g_array_new(FALSE, TRUE, sizeof(struct model_raw_times));
	model->launching = g_array_new(FALSE, FALSE, sizeof(struct model_call));
	model->waits = waits_new();
	model->calls = calls_new();
	model->strings = g_string_chunk_new(4096);
	model->join = join_new();
	model->memory_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	model->mark_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (; *directories; directories++) {
		g_ptr_array_add(model->directories, *directories);
		if (!read_directory(model, *directories, &sink)) {
			model_free(model);
			return NULL;
		}
	}
	resolve(model);
	return model;
}

static void free_process(struct model_process *process)
{
	for (uint32_t id = 1; id < table_end(process->graphs); id++) {
		const struct model_graph *graph = table_find(process->graphs, id);

		if (graph && graph->parts)
			g_array_free(graph->parts, TRUE);
	}
	for (uint32_t id = 1; id < table_end(process->devices); id++) {
		const struct model_device *device = table_find(process->devices, id);

		clock_free(device ? device->clock : NULL);
	}
	for (uint32_t id = 1; id < table_end(process->clocks); id++) {
		const struct model_clock *clock = table_find(process->clocks, id);

		clock_free(clock ? clock->clock : NULL);
	}
	table_free(process->clocks);
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
	GArray **arrays[] = {&model->gpus, &model->memories, &model->executions, &model->recordings,
		&model->tags, &model->marks, &model->lost, &model->replays, &model->ranges,
		&model->mark_times, &model->raw_times, &model->launching,
		&model->last_ns};

	for (guint i = 0; i < model->processes->len; i++)
		free_process(process_at(model, i));
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
	g_ptr_array_free(model->directories, TRUE);
	if (model->join)
		join_free(model->join);
	origins_free(model->origins);
	g_hash_table_destroy(model->memory_index);
	g_hash_table_destroy(model->mark_index);
	waits_free(model->waits);
	calls_free(model->calls);
	g_string_chunk_free(model->strings);
	g_free(model);
}
