/* SPDX-License-Identifier: MIT */
/*
 * A CTF trace of executions, powers and layers in the order of time, and analyses by which Trace
 * Compass draws it.  Memory does not grow with the number of executions.
 */
#include <math.h>

#include "analyzer/ledger/kernel_names.h"
#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
#include "analyzer/view/content/execution_steps.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/layer_steps.h"
#include "analyzer/view/ctf/ctf_analyses.h"
#include "analyzer/view/ctf/ctf_writer.h"

#define UW_PER_MW 1000
#define MW_PER_W 1000

/* A sensor of power, and how far it was written. */
struct sensor {
	const GArray *curve; /* struct curve_interval */
	char *name;
	guint next;        /* interval */
	uint64_t until_ns; /* the end of the one written last; 0: its end was written, too */
};

struct trace {
	const struct ledger *ledger;
	struct ctf_writer *writer;
	struct kernel_names *names;
	char **streams;      /* by origin: the name of its stream */
	const char **layers; /* by origin: the path of its layer */
	char **devices;      /* by index in model->gpus */
	GArray *sensors;     /* struct sensor */
	struct layer_steps *layer_steps;
	struct layer_step layer;  /* the next one */
	bool has_layer;           /* there is a next one */
	uint64_t others_ns;       /* the time of the next event that is of no execution */
	struct sensor *of_sensor; /* whose event that is; NULL: it is of a layer */
	GStringChunk *texts;
};

/* ---- sensors and layers ---- */

/* Whether what is to be written next is that the power is no longer known. */
static bool is_unknown(const struct sensor *sensor)
{
	const struct curve_interval *next =
		MODEL_AT(sensor->curve, struct curve_interval, sensor->next);

	return sensor->until_ns && (!next || next->begin_ns != sensor->until_ns);
}

static uint64_t sensor_next_ns(const struct sensor *sensor)
{
	const struct curve_interval *next =
		MODEL_AT(sensor->curve, struct curve_interval, sensor->next);

	return is_unknown(sensor) ? sensor->until_ns : next ? next->begin_ns : UINT64_MAX;
}

static void find_next(struct trace *trace)
{
	trace->others_ns = trace->has_layer ? trace->layer.time_ns : UINT64_MAX;
	trace->of_sensor = NULL;
	for (guint i = 0; i < trace->sensors->len; i++) {
		struct sensor *sensor = &g_array_index(trace->sensors, struct sensor, i);
		uint64_t time_ns = sensor_next_ns(sensor);

		if (time_ns < trace->others_ns) {
			trace->others_ns = time_ns;
			trace->of_sensor = sensor;
		}
	}
}

static void put_sensor(struct trace *trace, struct sensor *sensor)
{
	const struct curve_interval *interval =
		MODEL_AT(sensor->curve, struct curve_interval, sensor->next);

	if (is_unknown(sensor)) {
		ctf_writer_put(trace->writer, CTF_sensor_power_unknown, sensor->until_ns,
			(union ctf_value[]){{.text = sensor->name}});
		sensor->until_ns = 0;
		return;
	}
	sensor->next++;
	if (interval->end_ns == interval->begin_ns)
		return;
	ctf_writer_put(trace->writer, CTF_sensor_power, interval->begin_ns,
		(union ctf_value[]){{.text = sensor->name},
			{.count = (uint64_t)llround(
				 MW_PER_W * (double)interval->energy_nj /
				 (double)(interval->end_ns - interval->begin_ns))}});
	sensor->until_ns = interval->end_ns;
}

static void put_layer(struct trace *trace)
{
	const struct layer_step *step = &trace->layer;
	const struct model_process *process = &g_array_index(
		trace->ledger->model->processes, struct model_process, step->process);
	char *place = hosts_place(trace->ledger->model, process->host);
	char *thread = g_strdup_printf(
		"%s %u%s, thread %u", process->executable, process->pid, place, step->thread);

	ctf_writer_put(trace->writer, step->begins ? CTF_layer_begin : CTF_layer_end, step->time_ns,
		(union ctf_value[]){{.text = thread}, {.count = step->depth}, {.text = step->name},
			{.count = process->pid}});
	g_free(thread);
	g_free(place);
	trace->has_layer = layer_steps_next(trace->layer_steps, &trace->layer);
}

/* Writes what is of no execution, until a time. */
static void put_others(struct trace *trace, uint64_t time_ns)
{
	while (trace->others_ns <= time_ns && trace->others_ns != UINT64_MAX) {
		if (trace->of_sensor)
			put_sensor(trace, trace->of_sensor);
		else
			put_layer(trace);
		find_next(trace);
	}
}

/* ---- executions ---- */

static const char *kind_of(const struct model_origin *origin)
{
	return origin_is_kernel(origin)           ? "kernel"
	       : origin->kernel & MODEL_IS_MEMORY ? "memory"
						  : "graph";
}

static void put_begin(struct trace *trace, const struct execution_step *step, const char *device,
	const char *lane)
{
	const struct model *model = trace->ledger->model;
	const struct model_execution *execution = step->attributed.execution;
	const struct model_origin *origin = model_origin_of(model, execution);
	const struct model_kernel *kernel = model_kernel_of(model, origin);
	uint64_t groups[3], items[3];

	if (kernel) {
		model_groups(kernel, groups);
		for (guint i = 0; i < 3; i++)
			items[i] = kernel->local[i];
	}
	ctf_writer_put(trace->writer, CTF_execution_begin, execution->begin_ns,
		(union ctf_value[]){{.count = step->number},
			{.text = trace->names->label[execution->origin]}, {.text = kind_of(origin)},
			{.text = device}, {.text = trace->streams[execution->origin]},
			{.text = lane}, {.text = trace->layers[execution->origin]},
			{.count = model_process_of(model, origin)->pid},
			{.sizes = kernel ? groups : NULL},
			{.sizes = kernel && kernel->local[0] ? items : NULL}});
}

static void put_end(struct trace *trace, const struct execution_step *step, const char *device,
	const char *lane)
{
	const struct model_execution *execution = step->attributed.execution;
	bool is_known = step->row && step->row->ci95_j >= 0;

	if (step->measured)
		ctf_writer_put(trace->writer, CTF_execution_energy, execution->end_ns,
			(union ctf_value[]){{.count = step->number},
				{.text = trace->names->label[execution->origin]}, {.text = device},
				{.text = trace->layers[execution->origin]},
				{.count = step->attributed.energy_nj}, {.real = step->static_nj},
				{.real = is_known ? 1e9 * step->row->ci95_j : (double)NAN}});
	ctf_writer_put(trace->writer, CTF_execution_end, execution->end_ns,
		(union ctf_value[]){{.count = step->number}, {.text = device}, {.text = lane}});
}

static void visit(void *data, const struct execution_step *step)
{
	struct trace *trace = data;
	uint32_t origin = step->attributed.execution->origin;
	uint32_t gpu = model_gpu_of(trace->ledger->model, step->attributed.execution);
	const char *device = gpu == MODEL_NONE ? "(unknown device)" : trace->devices[gpu];
	char *beside = step->lane
			       ? g_strdup_printf("%s (%u)", trace->streams[origin], step->lane + 1)
			       : NULL;
	const char *lane = beside ? beside : trace->streams[origin];

	put_others(trace, execution_step_ns(step));
	if (step->begins)
		put_begin(trace, step, device, lane);
	else
		put_end(trace, step, device, lane);
	if (execution_step_has_power(step))
		ctf_writer_put(trace->writer, CTF_device_power, execution_step_ns(step),
			(union ctf_value[]){
				{.text = device}, {.count = step->device_uw / UW_PER_MW}});
	g_free(beside);
}

/* ---- names ---- */

static void name_origins(struct trace *trace)
{
	const struct model *model = trace->ledger->model;
	struct layer_tree *tree = layer_tree_new(0);
	GHashTable *paths = g_hash_table_new(NULL, NULL); /* by node */

	for (guint i = 0; i < model->origins->list->len; i++) {
		const struct model_origin *origin =
			&g_array_index(model->origins->list, struct model_origin, i);
		gpointer node = GUINT_TO_POINTER(
			layer_tree_node(tree, model_process_of(model, origin), origin->layer));
		struct ledger_row row = {.device = ""};

		if (!g_hash_table_contains(paths, node)) {
			char *path = layer_tree_path(tree, GPOINTER_TO_UINT(node));

			g_hash_table_insert(paths, node, g_string_chunk_insert(trace->texts, path));
			g_free(path);
		}
		trace->layers[i] = g_hash_table_lookup(paths, node);
		row_name_stream(model, origin, &row);
		trace->streams[i] = g_string_chunk_insert_const(trace->texts, row.name);
		rows_clear(&row);
	}
	g_hash_table_destroy(paths);
	layer_tree_free(tree);
}

static void add_sensors(struct trace *trace)
{
	const GArray *sources = trace->ledger->sources;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);
		struct sensor sensor = {.curve = source->curve};
		char *place;

		if (source->estimated)
			continue;
		place = hosts_place(trace->ledger->model, source->recording->host);
		sensor.name = g_strdup_printf("%s%s %s (%s)", source->device, place,
			source->sensor->domain, source->sensor->source);
		g_array_append_val(trace->sensors, sensor);
		g_free(place);
	}
}

static void put_trace(struct trace *trace)
{
	const struct model *model = trace->ledger->model;

	for (guint i = 0; i < model->gpus->len; i++) {
		const struct model_gpu *gpu = &g_array_index(model->gpus, struct model_gpu, i);
		char *place = hosts_place(model, hosts_of_machine(model, gpu->machine));

		trace->devices[i] = g_strdup_printf("GPU %u (%s)%s", i, gpu->name, place);
		g_free(place);
	}
	name_origins(trace);
	add_sensors(trace);
	trace->has_layer = layer_steps_next(trace->layer_steps, &trace->layer);
	find_next(trace);
	execution_steps_visit(trace->ledger, visit, trace);
	put_others(trace, UINT64_MAX);
}

static bool write_ctf(
	const char *directory, const struct ledger *ledger, const struct view_options *options)
{
	guint origins = ledger->model->origins->list->len;
	char *path = g_build_filename(directory, "trace", NULL);
	struct trace trace = {.ledger = ledger,
		.writer = ctf_writer_new(path),
		.names = kernel_names_of(ledger->model),
		.streams = g_new0(char *, origins + 1),
		.layers = g_new0(const char *, origins + 1),
		.devices = g_new0(char *, ledger->model->gpus->len + 1),
		.sensors = g_array_new(FALSE, FALSE, sizeof(struct sensor)),
		.layer_steps = layer_steps_new(ledger->model, ledger->timeline),
		.texts = g_string_chunk_new(4096)};
	bool written;

	(void)options;
	put_trace(&trace);
	written = ctf_writer_close(trace.writer);
	for (guint i = 0; i < trace.sensors->len; i++)
		g_free(g_array_index(trace.sensors, struct sensor, i).name);
	g_string_chunk_free(trace.texts);
	layer_steps_free(trace.layer_steps);
	g_array_free(trace.sensors, TRUE);
	g_strfreev(trace.devices);
	g_free(trace.layers);
	g_free(trace.streams);
	kernel_names_free(trace.names);
	g_free(path);
	/* Last: where the library had no room for metadata, there is none for this file. */
	return ctf_analyses_write(directory) && written;
}

const struct format format_ctf = {
	.name = "ctf",
	.help = "a directory: the same as a CTF trace, and analyses for Trace Compass",
	.write_directory = write_ctf,
	.whole = true,
};
