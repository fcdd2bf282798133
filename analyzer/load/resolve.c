/* SPDX-License-Identifier: MIT */
#include "analyzer/load/resolve.h"

#include <float.h>
#include <string.h>

#include "analyzer/load/align_machines.h"
#include "analyzer/load/call_paths.h"
#include "analyzer/load/find_collectives.h"
#include "analyzer/load/find_replays.h"
#include "analyzer/load/find_sizes.h"
#include "analyzer/load/join.h"
#include "analyzer/load/judge_replays.h"
#include "analyzer/load/layer_rules.h"
#include "analyzer/load/order.h"
#include "analyzer/load/readings.h"
#include "analyzer/load/retime.h"
#include "analyzer/load/running_numbers.h"
#include "analyzer/load/waits.h"
#include "analyzer/print/message.h"

/* The longest period, window or lag of a sensor.  Sensors of devices answer within two seconds,
 * meters of machines tell the mean of up to a minute; more is damaged, and what ran so long before
 * a reading would have to be kept for it. */
#define ANSWER_LONGEST_NS (60 * PWRTRACE_NS_PER_S)

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
		const struct model_device *known = table_find(process->devices, id), *parent;
		struct model_device *device;

		if (!known || !known->defined)
			continue;
		device = table_slot(process->devices, id);
		if (device->parent) {
			parent = device->parent < id ? table_find(process->devices, device->parent)
						     : NULL;
			device->gpu = parent && parent->defined ? parent->gpu : MODEL_NONE;
			continue;
		}
		device->gpu =
			gpu_index(model, &(struct model_gpu){process->machine, device->api,
						 device->kind, device->name, device->uuid,
						 device->pci, ordinal, device->compute_units});
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

static void find_cut_off(struct model *model)
{
	for (guint i = 0; i < model->processes->len; i++) {
		struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);

		process->cut_off |= process->begin_ns && !process->ended;
	}
}

/* How many launches of processes that were cut off are in no execution, at least. */
static uint64_t in_flight(const struct loader *loader)
{
	uint64_t count = 0;

	for (guint i = 0; i < loader->in_flight->len; i++)
		if (!g_array_index(loader->model->processes, struct model_process, i).ended)
			count += g_array_index(loader->in_flight, struct in_flight, i).count;
	return count;
}

static void end_recordings(struct model *model)
{
	for (guint i = 0; i < model->recordings->len; i++) {
		struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (!recording->span.end_ns)
			recording->span.end_ns = MAX(
				model_last_ns(model, recording->trace), recording->span.begin_ns);
	}
}

/* Forgets the times that a sensor states where they cannot be. */
static void check_stated(struct model_sensor *sensor)
{
	uint64_t *const times_ns[] = {&sensor->period_ns, &sensor->window_ns, &sensor->lag_ns};

	for (size_t i = 0; i < G_N_ELEMENTS(times_ns); i++)
		if (*times_ns[i] > ANSWER_LONGEST_NS)
			*times_ns[i] = PWRTRACE_UNKNOWN_U64;
}

/* Removes a calibrated response that has an invalid tap: without it, the others are none. */
static void check_response(struct model_sensor *sensor)
{
	for (guint i = 0; i < sensor->taps->len; i++) {
		const struct model_tap tap = g_array_index(sensor->taps, struct model_tap, i);
		bool near = tap.lag_ns >= -(int64_t)ANSWER_LONGEST_NS &&
			    tap.lag_ns <= (int64_t)ANSWER_LONGEST_NS;

		if (tap.weight >= 0 && tap.weight <= FLT_MAX && near)
			continue;
		message_warn("sensor %s of %s: its calibrated response %s by %g%s and is left out; "
			     "calibrate it again with pwrtrace sensors --calibrate",
			sensor->source, sensor->device, near ? "weights a tap" : "is late",
			near ? tap.weight : (double)tap.lag_ns / 1e9, near ? "" : " s");
		g_array_set_size(sensor->taps, 0);
	}
}

/* Removes invalid readings and responses. */
static void check_sensors(struct model *model)
{
	for (guint i = 0; i < model->sensors->len; i++) {
		struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		guint readings = sensor->readings->len;

		readings_tidy(sensor);
		if (readings && !sensor->readings->len)
			message_warn(
				"sensor %s of %s: no device draws as much as each of its "
				"readings says, and all are left out; it should say milliwatts",
				sensor->source, sensor->device);
		check_stated(sensor);
		check_response(sensor);
	}
}

static void resolve_calls(struct loader *loader, const struct load_options *options)
{
	struct call_paths *paths;

	if (!options->rules && !options->stacks)
		return;
	paths = call_paths_new(loader->model);
	if (options->rules)
		layer_rules_apply(options->rules, loader, paths);
	if (options->stacks)
		call_paths_resolve(paths);
	call_paths_free(paths);
}

/* Says that executions are left out, and counts them as lost. */
static void note_left_out(struct loader *loader)
{
	const char *directory = mapped_array_directory();
	char *why = g_strdup_printf("%s had no room for them", directory);
	const struct model_lost lost = {"executions", loader_text(loader, why), loader->left_out};

	if (loader->left_out) {
		g_array_append_val(loader->model->lost, lost);
		message_error("no room in %s for %" G_GUINT64_FORMAT " executions, the last ones, "
			      "which are left out: %s; name a directory with more room by TMPDIR",
			directory, loader->left_out, g_strerror(loader->no_room));
	}
	g_free(why);
}

/* Gives executions of different parts different origins. */
static bool divide(struct model *model, const struct load_options *options)
{
	uint32_t *parts;
	bool fine;

	if (!options->divide)
		return true;
	parts = g_new0(uint32_t, model->executions->len + 1);
	fine = options->divide(options->divide_data, model, parts);
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);

		origin.part = parts[i];
		if (parts[i])
			execution->origin = origins_number(model->origins, &origin);
	}
	g_free(parts);
	return fine;
}

bool resolve(struct loader *loader, const struct load_options *options)
{
	struct model *model = loader->model;
	struct collective_ties *ties;

	for (guint i = 0; i < model->processes->len; i++)
		resolve_devices(model, &g_array_index(model->processes, struct model_process, i));
	resolve_origins(model);
	waits_order(loader);
	retime(loader);
	end_recordings(model);
	check_sensors(model);
	find_cut_off(model);
	model->unfinished = join_waiting(loader->join) + in_flight(loader);
	align_machines(model);
	order_finish(loader);
	ties = collectives_tie(loader);
	mapped_array_sort(model->executions, by_begin);
	collectives_finish(model, ties);
	note_left_out(loader);
	find_replays(model);
	find_sizes(model);
	judge_replays(model);
	if (loader->newest_schema > PWRTRACE_SCHEMA)
		message_warn("the trace is of schema %u, this pwrtrace knows %u: what is newer is "
			     "left out",
			loader->newest_schema, PWRTRACE_SCHEMA);
	resolve_calls(loader, options);
	if (!options->numbers)
		running_numbers_replace(loader);
	return divide(model, options);
}
