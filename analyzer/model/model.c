/* SPDX-License-Identifier: MIT */
#include "analyzer/model/model.h"

#include <string.h>

#include "analyzer/message.h"
#include "analyzer/trace/reader.h"

/* ---- strings and tables ---- */

static const char *keep(struct model *model, const char *text)
{
	return g_string_chunk_insert_const(model->strings, text);
}

/* Element id of a table, which grows with empty ones up to it. */
static void *slot(GArray *table, uint32_t id)
{
	guint limit = 1u << 24;

	if (id >= limit)
		return NULL;
	if (id >= table->len)
		g_array_set_size(table, id + 1);
	return table->data + (gsize)id * g_array_get_element_size(table);
}

static uint32_t process_index(struct model *model, unsigned trace, uint32_t pid)
{
	const struct model_process *last =
		MODEL_AT(model->processes, struct model_process, model->last_process);
	struct model_process fresh = {
		.trace = trace, .pid = pid, .host = "", .boot_id = "", .executable = ""};

	if (last && last->pid == pid && last->trace == trace)
		return model->last_process;
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *known =
			&g_array_index(model->processes, struct model_process, i);

		if (known->pid == pid && known->trace == trace)
			return model->last_process = i;
	}
	fresh.kernels = g_array_new(FALSE, TRUE, sizeof(struct model_kernel));
	fresh.streams = g_array_new(FALSE, TRUE, sizeof(struct model_stream));
	fresh.layers = g_array_new(FALSE, TRUE, sizeof(struct model_layer));
	fresh.devices = g_array_new(FALSE, TRUE, sizeof(struct model_device));
	g_array_append_val(model->processes, fresh);
	return model->last_process = model->processes->len - 1;
}

static struct model_process *process_at(struct model *model, uint32_t index)
{
	return &g_array_index(model->processes, struct model_process, index);
}

const struct model_process *model_process_of(
	const struct model *model, const struct model_execution *execution)
{
	return &g_array_index(model->processes, struct model_process, execution->process);
}

uint32_t model_gpu_of(const struct model *model, const struct model_execution *execution)
{
	const struct model_process *process = model_process_of(model, execution);
	const struct model_stream *stream =
		MODEL_AT(process->streams, struct model_stream, execution->stream);
	const struct model_device *device =
		stream ? MODEL_AT(process->devices, struct model_device, stream->device) : NULL;

	return device && device->defined ? device->gpu : MODEL_NONE;
}

const struct model_gpu *model_gpu_at(
	const struct model *model, const struct model_execution *execution)
{
	return MODEL_AT(model->gpus, struct model_gpu, model_gpu_of(model, execution));
}

/* ---- joining launches and executions on (process, correlation), whichever comes first ----
 *
 * What waits is kept as layer + 1 for a launch, or as -(index + 1) for an execution. */

static gpointer join_key(uint32_t process, uint32_t correlation)
{
	return GSIZE_TO_POINTER((gsize)process << 32 | correlation);
}

static void join_launch(
	struct model *model, uint32_t process, const struct pwrtrace_kernel_launch *e)
{
	gpointer key = join_key(process, e->correlation);
	gssize found = (gssize)g_hash_table_lookup(model->waiting, key);

	if (found < 0) {
		g_array_index(model->executions, struct model_execution, -found - 1).layer =
			e->layer;
		g_hash_table_remove(model->waiting, key);
	} else {
		g_hash_table_insert(model->waiting, key, (gpointer)((gssize)e->layer + 1));
	}
}

static void add_execution(struct model *model, const struct model_execution *execution)
{
	if (execution->begin_ns == PWRTRACE_UNKNOWN_U64 ||
		execution->end_ns == PWRTRACE_UNKNOWN_U64 ||
		execution->end_ns < execution->begin_ns) {
		struct model_execution timeless = *execution;

		timeless.begin_ns = timeless.end_ns = 0;
		model->without_time++;
		g_array_append_val(model->executions, timeless);
		return;
	}
	g_array_append_vals(model->executions, execution, 1);
	model->first_ns = MIN(model->first_ns, execution->begin_ns);
	model->last_ns = MAX(model->last_ns, execution->end_ns);
}

static void add_kernel_exec(
	struct model *model, uint32_t process, const struct pwrtrace_kernel_exec *e)
{
	gpointer key = join_key(process, e->correlation);
	gssize found = (gssize)g_hash_table_lookup(model->waiting, key);

	add_execution(model, &(struct model_execution){.begin_ns = e->begin_ns,
				     .end_ns = e->end_ns,
				     .process = process,
				     .stream = e->stream,
				     .kernel = e->kernel,
				     .layer = found > 0 ? (uint32_t)(found - 1) : 0});
	if (found > 0)
		g_hash_table_remove(model->waiting, key);
	else
		g_hash_table_insert(
			model->waiting, key, (gpointer)(-(gssize)model->executions->len));
}

static uint32_t memory_index(struct model *model, const struct pwrtrace_memory_exec *e)
{
	char *text = g_strdup_printf("%s %s %" G_GUINT64_FORMAT, e->name, e->kind, e->bytes);
	const char *key = keep(model, text);
	gpointer found;

	g_free(text);
	if (!g_hash_table_lookup_extended(model->memory_index, key, NULL, &found)) {
		struct model_memory memory = {keep(model, e->name), keep(model, e->kind), e->bytes};

		found = GUINT_TO_POINTER(model->memories->len);
		g_array_append_val(model->memories, memory);
		g_hash_table_insert(model->memory_index, (gpointer)key, found);
	}
	return MODEL_IS_MEMORY | GPOINTER_TO_UINT(found);
}

/* ---- one event ---- */

static struct model_sensor *sensor_at(
	struct model *model, unsigned trace, uint32_t pid, uint32_t id)
{
	struct model_sensor fresh = {.trace = trace,
		.pid = pid,
		.id = id,
		.source = "",
		.device = "",
		.domain = "",
		.part_of = "",
		.quantity = "",
		.period_ns = PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64};

	for (guint i = 0; i < model->sensors->len; i++) {
		struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (sensor->trace == trace && sensor->pid == pid && sensor->id == id)
			return sensor;
	}
	fresh.readings = g_array_new(FALSE, FALSE, sizeof(struct model_reading));
	g_array_append_val(model->sensors, fresh);
	return &g_array_index(model->sensors, struct model_sensor, model->sensors->len - 1);
}

static void add_reading(struct model_sensor *sensor, uint64_t time_ns, uint64_t value)
{
	struct model_reading reading = {time_ns, value};

	g_array_append_val(sensor->readings, reading);
}

static void add_sensor(struct model *model, unsigned trace, const struct pwrtrace_sensor_def *e)
{
	struct model_sensor *sensor;

	/* A sensor of clocks and temperatures measures no energy. */
	if (strcmp(e->quantity, "state") == 0)
		return;
	sensor = sensor_at(model, trace, e->pid, e->sensor);
	sensor->source = keep(model, e->source);
	sensor->device = keep(model, e->device);
	sensor->domain = keep(model, e->domain);
	sensor->part_of = keep(model, e->part_of);
	sensor->quantity = keep(model, e->quantity);
	sensor->period_ns = e->period_ns;
	sensor->window_ns = e->window_ns;
	sensor->lag_ns = e->lag_ns;
}

static struct model_recording *recording_at(struct model *model, unsigned trace, uint32_t pid)
{
	struct model_recording fresh = {.trace = trace,
		.pid = pid,
		.host = "",
		.boot_id = "",
		.command = "",
		.power = "",
		.why = ""};

	for (guint i = 0; i < model->recordings->len; i++) {
		struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (recording->trace == trace && recording->pid == pid)
			return recording;
	}
	g_array_append_val(model->recordings, fresh);
	return &g_array_index(
		model->recordings, struct model_recording, model->recordings->len - 1);
}

static void add_recording(struct model *model, unsigned trace, const struct pwrtrace_recording *e)
{
	struct model_recording *recording = recording_at(model, trace, e->pid);

	recording->host = keep(model, e->host);
	recording->boot_id = keep(model, e->boot_id);
	recording->command = keep(model, e->command);
	recording->power = keep(model, e->power);
	recording->span.begin_ns = e->begin_ns;
	model->newest_schema = MAX(model->newest_schema, e->schema);
	model->first_ns = MIN(model->first_ns, e->begin_ns);
}

static void add_device(struct model *model, uint32_t process, const struct pwrtrace_device *e)
{
	struct model_device *device = slot(process_at(model, process)->devices, e->device);

	if (device)
		*device = (struct model_device){true, e->parent_device, e->compute_units,
			keep(model, e->api), keep(model, e->kind), keep(model, e->name),
			keep(model, e->uuid), keep(model, e->pci), MODEL_NONE};
}

static void add_kernel(struct model *model, uint32_t process, const struct pwrtrace_kernel_def *e)
{
	struct model_kernel *kernel = slot(process_at(model, process)->kernels, e->kernel);

	if (kernel)
		*kernel = (struct model_kernel){true, keep(model, e->api), keep(model, e->name),
			{e->global_x, e->global_y, e->global_z},
			{e->local_x, e->local_y, e->local_z}};
}

static void add_stream(struct model *model, uint32_t process, const struct pwrtrace_stream_def *e)
{
	struct model_stream *stream = slot(process_at(model, process)->streams, e->stream);

	if (stream)
		*stream = (struct model_stream){true, e->device};
}

static void add_layer(struct model *model, uint32_t process, const struct pwrtrace_layer_def *e)
{
	struct model_layer *layer = slot(process_at(model, process)->layers, e->layer);

	/* A parent is always older: a trace that says otherwise must not send us in circles. */
	if (layer && e->parent_layer < e->layer)
		*layer = (struct model_layer){true, e->parent_layer, keep(model, e->name)};
}

static void add_process(struct model *model, uint32_t index, const struct pwrtrace_process *e)
{
	struct model_process *process = process_at(model, index);

	process->host = keep(model, e->host);
	process->boot_id = keep(model, e->boot_id);
	process->executable = keep(model, e->executable);
	model->newest_schema = MAX(model->newest_schema, e->schema);
}

static void add_tag(struct model *model, const struct pwrtrace_tag *e)
{
	struct model_tag tag = {keep(model, e->key), keep(model, e->value)};

	for (guint i = 0; i < model->tags->len; i++) {
		const struct model_tag *known = &g_array_index(model->tags, struct model_tag, i);

		if (known->key == tag.key && known->value == tag.value)
			return;
	}
	g_array_append_val(model->tags, tag);
}

static void add_mark(struct model *model, const struct pwrtrace_mark *e)
{
	struct model_mark fresh = {keep(model, e->name), keep(model, e->unit), e->value, 1};

	for (guint i = 0; i < model->marks->len; i++) {
		struct model_mark *mark = &g_array_index(model->marks, struct model_mark, i);

		if (mark->name == fresh.name && mark->unit == fresh.unit) {
			mark->sum += e->value;
			mark->count++;
			return;
		}
	}
	g_array_append_val(model->marks, fresh);
}

static void add_lost(struct model *model, const char *what, const char *why, uint64_t count)
{
	struct model_lost fresh = {keep(model, what), keep(model, why), count};

	for (guint i = 0; i < model->lost->len; i++) {
		struct model_lost *lost = &g_array_index(model->lost, struct model_lost, i);

		if (lost->what == fresh.what && lost->why == fresh.why) {
			lost->count += count;
			return;
		}
	}
	g_array_append_val(model->lost, fresh);
}

static void take_event(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	struct model *model = data;
	/* Every event begins with the pid it is about. */
	uint32_t pid = *(const uint32_t *)record;

	model->event_count[id]++;
	switch (id) {
	case PWRTRACE_EV_kernel_launch:
		join_launch(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_kernel_exec:
		add_kernel_exec(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_memory_exec: {
		const struct pwrtrace_memory_exec *e = record;

		add_execution(model, &(struct model_execution){.begin_ns = e->begin_ns,
					     .end_ns = e->end_ns,
					     .process = process_index(model, trace, pid),
					     .stream = e->stream,
					     .kernel = memory_index(model, e),
					     .layer = e->layer});
		break;
	}
	case PWRTRACE_EV_power_sample: {
		const struct pwrtrace_power_sample *e = record;

		add_reading(sensor_at(model, trace, pid, e->sensor), e->time_ns, e->power_mw);
		break;
	}
	case PWRTRACE_EV_energy_counter: {
		const struct pwrtrace_energy_counter *e = record;

		add_reading(sensor_at(model, trace, pid, e->sensor), e->time_ns, e->energy_uj);
		break;
	}
	case PWRTRACE_EV_sensor_def:
		add_sensor(model, trace, record);
		break;
	case PWRTRACE_EV_recording:
		add_recording(model, trace, record);
		break;
	case PWRTRACE_EV_recording_end: {
		const struct pwrtrace_recording_end *e = record;
		struct model_recording *recording = recording_at(model, trace, pid);

		recording->span.end_ns = e->end_ns;
		recording->why = keep(model, e->why);
		model->last_ns = MAX(model->last_ns, e->end_ns);
		break;
	}
	case PWRTRACE_EV_process:
		add_process(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_device:
		add_device(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_stream_def:
		add_stream(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_kernel_def:
		add_kernel(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_layer_def:
		add_layer(model, process_index(model, trace, pid), record);
		break;
	case PWRTRACE_EV_tag:
		add_tag(model, record);
		break;
	case PWRTRACE_EV_mark:
		add_mark(model, record);
		break;
	case PWRTRACE_EV_clock_sync: {
		const struct pwrtrace_clock_sync *e = record;

		model->clock_error_ns = MAX(model->clock_error_ns, e->error_ns);
		break;
	}
	case PWRTRACE_EV_lost: {
		const struct pwrtrace_lost *e = record;

		add_lost(model, e->what, e->why, e->count);
		break;
	}
	default:
		break;
	}
}

/* The many events are read for what the model keeps of them; the few are read whole. */
static bool wants(enum pwrtrace_event_id id, const char *field)
{
	static const struct {
		enum pwrtrace_event_id id;
		const char *fields;
	} needed[] = {
		{PWRTRACE_EV_kernel_launch, " pid correlation layer "},
		{PWRTRACE_EV_kernel_exec, " pid correlation kernel stream begin_ns end_ns "},
		{PWRTRACE_EV_memory_exec, " pid stream layer bytes begin_ns end_ns kind name "},
		{PWRTRACE_EV_sync, ""},
		{PWRTRACE_EV_dependency, ""},
		{PWRTRACE_EV_layer_push, ""},
		{PWRTRACE_EV_layer_pop, ""},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(needed); i++) {
		char word[64];

		if (needed[i].id != id)
			continue;
		g_snprintf(word, sizeof(word), " %s ", field);
		return strstr(needed[i].fields, word) != NULL;
	}
	return true;
}

static void take_discarded(void *data, uint64_t count)
{
	struct model *model = data;

	model->discarded += count;
}

/* ---- when all has been read ---- */

static bool same_gpu(const struct model_gpu *a, const struct model_gpu *b)
{
	if (strcmp(a->host, b->host) != 0 || strcmp(a->boot_id, b->boot_id) != 0)
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

	for (guint id = 1; id < process->devices->len; id++) {
		struct model_device *device =
			&g_array_index(process->devices, struct model_device, id);
		struct model_gpu gpu = {process->host, process->boot_id, device->api, device->kind,
			device->name, device->uuid, device->pci, ordinal, device->compute_units,
			false};

		if (!device->defined)
			continue;
		if (device->parent) {
			const struct model_device *parent =
				device->parent < id ? &g_array_index(process->devices,
							      struct model_device, device->parent)
						    : NULL;

			device->gpu = parent && parent->defined ? parent->gpu : MODEL_NONE;
			continue;
		}
		device->gpu = gpu_index(model, &gpu);
		ordinal++;
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

static void count_unfinished(struct model *model)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, model->waiting);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		model->unfinished += (gssize)value > 0;
	g_hash_table_remove_all(model->waiting);
}

static void resolve(struct model *model)
{
	for (guint i = 0; i < model->processes->len; i++)
		resolve_devices(model, process_at(model, i));
	for (guint i = 0; i < model->recordings->len; i++) {
		struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (!recording->span.end_ns)
			recording->span.end_ns = MAX(model->last_ns, recording->span.begin_ns);
	}
	count_unfinished(model);
	sort_executions(model->executions);
	if (model->newest_schema > PWRTRACE_SCHEMA)
		message_warn("the trace is of schema %u, this pwrtrace knows %u: what is newer is "
			     "left out",
			model->newest_schema, PWRTRACE_SCHEMA);
}

struct model *model_load(char *const *directories)
{
	struct model *model = g_new0(struct model, 1);
	struct reader_sink sink = {
		.event = take_event, .wants = wants, .discarded = take_discarded, .data = model};

	model->directories = g_ptr_array_new();
	model->processes = g_array_new(FALSE, TRUE, sizeof(struct model_process));
	model->gpus = g_array_new(FALSE, TRUE, sizeof(struct model_gpu));
	model->memories = g_array_new(FALSE, TRUE, sizeof(struct model_memory));
	model->executions = g_array_new(FALSE, FALSE, sizeof(struct model_execution));
	model->recordings = g_array_new(FALSE, TRUE, sizeof(struct model_recording));
	model->sensors = g_array_new(FALSE, TRUE, sizeof(struct model_sensor));
	model->tags = g_array_new(FALSE, TRUE, sizeof(struct model_tag));
	model->marks = g_array_new(FALSE, TRUE, sizeof(struct model_mark));
	model->lost = g_array_new(FALSE, TRUE, sizeof(struct model_lost));
	model->strings = g_string_chunk_new(4096);
	model->waiting = g_hash_table_new(NULL, NULL);
	model->memory_index = g_hash_table_new(g_str_hash, g_str_equal);
	model->first_ns = UINT64_MAX;
	for (; *directories; directories++) {
		g_ptr_array_add(model->directories, *directories);
		if (reader_read(*directories, &sink) < 0) {
			model_free(model);
			return NULL;
		}
	}
	resolve(model);
	return model;
}

void model_free(struct model *model)
{
	GArray **arrays[] = {&model->gpus, &model->memories, &model->executions, &model->recordings,
		&model->tags, &model->marks, &model->lost};

	for (guint i = 0; i < model->processes->len; i++) {
		struct model_process *process = process_at(model, i);

		g_array_free(process->kernels, TRUE);
		g_array_free(process->streams, TRUE);
		g_array_free(process->layers, TRUE);
		g_array_free(process->devices, TRUE);
	}
	g_array_free(model->processes, TRUE);
	for (guint i = 0; i < model->sensors->len; i++)
		g_array_free(g_array_index(model->sensors, struct model_sensor, i).readings, TRUE);
	g_array_free(model->sensors, TRUE);
	for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
		g_array_free(*arrays[i], TRUE);
	g_ptr_array_free(model->directories, TRUE);
	g_hash_table_destroy(model->waiting);
	g_hash_table_destroy(model->memory_index);
	g_string_chunk_free(model->strings);
	g_free(model);
}
