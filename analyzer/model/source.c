/* SPDX-License-Identifier: MIT */
#include "analyzer/model/source.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/spans.h"

/*
 * Powers for the sensor "model", by kind of device: round numbers for common hardware.  Reports
 * that use them say that they are estimates.
 */
static const struct {
	const char *kind;
	uint64_t static_mw;
	uint64_t static_per_unit_mw;
	uint64_t dynamic_mw;
	uint64_t dynamic_per_unit_mw;
} estimates[] = {
	{"cpu", 0, 2000, 0, 6000},    /* per hardware thread */
	{"gpu", 60000, 0, 240000, 0}, /* a data-centre card at half its limit */
	{"accelerator", 30000, 0, 70000, 0},
};

bool source_names(const char *device, const char *pci, const struct model_gpu *gpu)
{
	char ordinal[16];

	snprintf(ordinal, sizeof(ordinal), "%u", gpu->ordinal);
	return strcmp(device, "*") == 0 || (*device && strcmp(device, gpu->uuid) == 0) ||
	       (*device && strcmp(device, gpu->pci) == 0) || (*pci && strcmp(pci, gpu->pci) == 0) ||
	       strcmp(device, gpu->name) == 0 || strcmp(device, gpu->kind) == 0 ||
	       strcmp(device, ordinal) == 0;
}

static bool same_machine(const struct model_recording *recording, const struct model_gpu *gpu)
{
	return strcmp(recording->machine, gpu->machine) == 0;
}

bool source_measures(const struct model_recording *recording, const struct model_sensor *sensor,
	const struct model_gpu *gpu)
{
	return same_machine(recording, gpu) && source_names(sensor->device, sensor->pci, gpu);
}

const struct model_recording *source_recording(
	const struct model *model, unsigned trace, uint32_t process_number)
{
	for (guint i = 0; i < model->recordings->len; i++) {
		const struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		if (recording->trace == trace && recording->process_number == process_number)
			return recording;
	}
	return NULL;
}

static bool is_of(const struct model_sensor *sensor, const struct model_device *device)
{
	return device && device->defined && !device->parent &&
	       ((*device->uuid && strcmp(sensor->device, device->uuid) == 0) ||
		       (*device->pci && (strcmp(sensor->device, device->pci) == 0 ||
						strcmp(sensor->pci, device->pci) == 0)));
}

static guint devices_of(const struct model_process *process, const struct model_sensor *sensor)
{
	GHashTable *by_api = g_hash_table_new(g_str_hash, g_str_equal);
	guint most = 0;

	for (uint32_t id = 1; id < table_end(process->devices); id++) {
		const struct model_device *device = table_find(process->devices, id);
		guint count;

		if (!is_of(sensor, device))
			continue;
		count = GPOINTER_TO_UINT(g_hash_table_lookup(by_api, device->api)) + 1;
		g_hash_table_insert(by_api, (gpointer)device->api, GUINT_TO_POINTER(count));
		most = MAX(most, count);
	}
	g_hash_table_destroy(by_api);
	return most;
}

guint source_devices(const struct model *model, const struct model_sensor *sensor)
{
	const struct model_recording *recording =
		source_recording(model, sensor->trace, sensor->process_number);
	guint most = 0;

	for (guint i = 0; recording && i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);
		guint count = 0;

		if (strcmp(process->machine, recording->machine) == 0)
			count = devices_of(process, sensor);
		most = MAX(most, count);
	}
	return most;
}

/* Whether it measures a whole machine, independently of the sensors of devices. */
static bool is_beside(const struct model_sensor *sensor)
{
	return strcmp(sensor->part_of, "*") == 0;
}

/* Whether all sensors of devices' power in the sensor's recording measure the same device. */
static bool one_sensor_device(const struct model *model, const struct model_sensor *sensor)
{
	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *other =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (other->trace == sensor->trace &&
			other->process_number == sensor->process_number &&
			model_measures_power(other) && !is_beside(other) &&
			strcmp(other->device, sensor->device) != 0)
			return false;
	}
	return true;
}

static void find_covered(const struct model *model, struct source *source)
{
	guint found = 0, candidates = 0, last = 0;

	source->covers = g_new0(bool, model->gpus->len + 1);
	for (guint i = 0; i < model->gpus->len; i++) {
		const struct model_gpu *gpu = &g_array_index(model->gpus, struct model_gpu, i);

		if (!same_machine(source->recording, gpu))
			continue;
		candidates++;
		last = i;
		source->covers[i] = source_names(source->sensor->device, source->sensor->pci, gpu);
		found += source->covers[i];
	}
	/* A single device and a single sensor belong together, whatever their names are. */
	if (!found && candidates == 1 && one_sensor_device(model, source->sensor))
		source->covers[last] = true;
}

static void add_measured(const struct model *model, GArray *sources,
	const struct model_sensor *sensor, const char *domain)
{
	struct source source = {.sensor = sensor,
		.recording = source_recording(model, sensor->trace, sensor->process_number),
		.device = sensor->device,
		.top_level = domain ? strcmp(sensor->domain, domain) == 0 : !*sensor->part_of};

	if (!source.recording)
		return;
	source.span = source.recording->span;
	source.curve = curve_of(sensor, &source.span);
	find_covered(model, &source);
	g_array_append_val(sources, source);
}

static void add_estimated(
	const struct model *model, GArray *sources, const struct model_sensor *sensor)
{
	const struct model_recording *recording =
		source_recording(model, sensor->trace, sensor->process_number);

	for (guint i = 0; recording && i < model->gpus->len; i++) {
		const struct model_gpu *gpu = &g_array_index(model->gpus, struct model_gpu, i);
		struct source source = {.sensor = sensor,
			.recording = recording,
			.span = recording->span,
			.device = gpu->name,
			.top_level = true,
			.estimated = true};
		struct curve_interval span = {
			recording->span.begin_ns, recording->span.end_ns, 0, false};
		uint64_t units =
			gpu->compute_units == PWRTRACE_UNKNOWN_U32 ? 1 : gpu->compute_units;

		if (!source_measures(recording, sensor, gpu))
			continue;
		for (size_t k = 0; k < G_N_ELEMENTS(estimates); k++) {
			if (strcmp(gpu->kind, estimates[k].kind) != 0)
				continue;
			source.static_mw =
				estimates[k].static_mw + units * estimates[k].static_per_unit_mw;
			source.dynamic_mw =
				estimates[k].dynamic_mw + units * estimates[k].dynamic_per_unit_mw;
		}
		source.covers = g_new0(bool, model->gpus->len + 1);
		source.covers[i] = true;
		source.curve = g_array_new(FALSE, FALSE, sizeof(struct curve_interval));
		if (span.end_ns > span.begin_ns)
			g_array_append_val(source.curve, span);
		g_array_append_val(sources, source);
	}
}

/* Whether a measurement takes the place of an estimate, of the same device. */
static bool stands_in(
	const struct model *model, const struct source *real, const struct source *estimate)
{
	if (!estimate->estimated || real->estimated || !real->top_level)
		return false;
	for (guint i = 0; i < model->gpus->len; i++)
		if (estimate->covers[i] && real->covers[i])
			return true;
	return false;
}

static int by_rank(gconstpointer a, gconstpointer b)
{
	const struct source *x = a, *y = b;

	if (x->estimated != y->estimated)
		return x->estimated ? 1 : -1;
	if (x->top_level != y->top_level)
		return x->top_level ? -1 : 1;
	return x->curve->len > y->curve->len ? -1 : x->curve->len < y->curve->len;
}

/* The time of a source's recording, without that of replays, that no source of the same domain
 * measures. */
static uint64_t gap_of(const GArray *sources, const struct source *source)
{
	GArray *known = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	GArray *gaps = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	uint64_t gap_ns;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *other = &g_array_index(sources, struct source, i);

		if (source_measures_same(source, other))
			curve_add_spans(other->curve, false, known);
	}
	if (source->replays)
		g_array_append_vals(known, source->replays->data, source->replays->len);
	spans_unite(known);
	g_array_append_val(gaps, source->recording->span);
	spans_subtract(gaps, known);
	gap_ns = spans_length_ns(gaps);
	g_array_free(known, TRUE);
	g_array_free(gaps, TRUE);
	return gap_ns;
}

/* Whether another source counts instead of one that measures the whole machine. */
static bool goes_before(const struct source *other, const struct source *source)
{
	if (other == source || other->estimated || !other->curve->len ||
		!source_shares_machine(other, source))
		return false;
	return other->top_level ||
	       (is_beside(other->sensor) && other->curve->len > source->curve->len);
}

static void choose_beside(GArray *sources)
{
	for (guint i = 0; i < sources->len; i++) {
		struct source *source = &g_array_index(sources, struct source, i);
		bool chosen = is_beside(source->sensor) && source->curve->len;

		for (guint k = 0; chosen && k < sources->len; k++)
			chosen = !goes_before(&g_array_index(sources, struct source, k), source);
		source->top_level |= chosen;
	}
}

static uint64_t length_of(const GArray *curve)
{
	uint64_t sum_ns = 0;

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		sum_ns += interval->end_ns - interval->begin_ns;
	}
	return sum_ns;
}

/* Sources of the same domain in several recordings measure the same devices, though their sensors
 * may name the device in different ways. */
static void unite_covered(const struct model *model, GArray *sources)
{
	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);

		for (guint k = 0; !source->estimated && k < sources->len; k++) {
			struct source *same = &g_array_index(sources, struct source, k);

			if (same->estimated || !source_measures_same(source, same))
				continue;
			for (guint gpu = 0; gpu < model->gpus->len; gpu++)
				same->covers[gpu] |= source->covers[gpu];
		}
	}
}

/* Extends the spans of the sources whose holes a source fills by its own span. */
static void reach(GArray *sources, guint filling)
{
	const struct source *source = &g_array_index(sources, struct source, filling);

	for (guint i = 0; i < filling; i++) {
		struct source *before = &g_array_index(sources, struct source, i);

		if (!source_measures_same(before, source))
			continue;
		before->span.begin_ns = MIN(before->span.begin_ns, source->span.begin_ns);
		before->span.end_ns = MAX(before->span.end_ns, source->span.end_ns);
	}
}

/* Removes from each curve the times that sources before it measure. */
static void make_disjoint(const struct model *model, GArray *sources)
{
	for (guint i = 0; i < sources->len; i++) {
		struct source *source = &g_array_index(sources, struct source, i);
		uint64_t whole_ns = length_of(source->curve);

		for (guint k = 0; k < i; k++) {
			const struct source *before = &g_array_index(sources, struct source, k);

			if (source_measures_same(before, source) ||
				stands_in(model, before, source))
				curve_subtract(source->curve, before->curve);
		}
		source->fills = length_of(source->curve) < whole_ns / 2;
		if (source->fills)
			reach(sources, i);
	}
}

GArray *sources_of(const struct model *model, const char *domain)
{
	GArray *sources = g_array_new(FALSE, TRUE, sizeof(struct source));

	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		/* A sensor without a definition has no quantity, and is left out. */
		if (strcmp(sensor->quantity, "model") == 0 && !domain)
			add_estimated(model, sources, sensor);
		else if (model_measures_power(sensor))
			add_measured(model, sources, sensor, domain);
	}
	if (!domain)
		choose_beside(sources);
	unite_covered(model, sources);
	g_array_sort(sources, by_rank);
	make_disjoint(model, sources);
	for (guint i = 0; i < sources->len; i++) {
		struct source *source = &g_array_index(sources, struct source, i);

		if (model->replays->len)
			source->replays = replays_spans(model, source->recording->machine);
		source->gap_ns = source->estimated ? 0 : gap_of(sources, source);
	}
	sources_find_alike(model, sources);
	return sources;
}

bool source_covers_any(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (source->covers[i])
			return true;
	return false;
}

uint32_t source_gpu(const struct model *model, const struct source *source)
{
	uint32_t only = MODEL_NONE;

	for (uint32_t gpu = 0; gpu < model->gpus->len; gpu++) {
		if (!source->covers[gpu])
			continue;
		if (only != MODEL_NONE)
			return MODEL_NONE;
		only = gpu;
	}
	return only;
}

void sources_free(GArray *sources)
{
	for (guint i = 0; i < sources->len; i++) {
		struct source *source = &g_array_index(sources, struct source, i);

		g_array_free(source->curve, TRUE);
		g_free(source->covers);
		if (source->replays)
			g_array_free(source->replays, TRUE);
		g_ptr_array_free(source->alike, TRUE);
	}
	g_array_free(sources, TRUE);
}
