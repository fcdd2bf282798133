/* SPDX-License-Identifier: MIT */
/* A value of a GPU's counter holds for the time before it, back to the one before. */
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/state.h"
#include "analyzer/view/perfetto/perfetto_trace.h"

enum { UNIT_MEGAHERTZ = 15, UNIT_WATT = 29, UNIT_PERCENT = 37 };

static void put_counter(struct perfetto_trace *trace, guint counter, uint32_t gpu, const char *name,
	guint unit, uint64_t time_ns)
{
	packet_put_count(trace->inner, 1, counter);
	packet_put_text(trace->inner, 2, name);
	packet_put_count(trace->inner, 7, unit);
	packet_put_message(trace->part, 1, trace->inner);
	packet_put_message(trace->event, 1, trace->part);
	if (gpu != MODEL_NONE)
		packet_put_count(trace->event, 3, gpu);
	perfetto_put_event(trace, PACKET_GPU_COUNTERS, time_ns);
}

static void put_value(
	struct perfetto_trace *trace, guint counter, uint32_t gpu, double value, uint64_t time_ns)
{
	packet_put_count(trace->part, 1, counter);
	packet_put_real(trace->part, 3, value);
	packet_put_message(trace->event, 2, trace->part);
	if (gpu != MODEL_NONE)
		packet_put_count(trace->event, 3, gpu);
	perfetto_put_event(trace, PACKET_GPU_COUNTERS, time_ns);
}

/* The first device that a source measures. */
static uint32_t gpu_of(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (source->covers[i])
			return i;
	return MODEL_NONE;
}

static bool has_holes(const GArray *curve)
{
	for (guint i = 1; i < curve->len; i++)
		if (g_array_index(curve, struct curve_interval, i).begin_ns !=
			g_array_index(curve, struct curve_interval, i - 1).end_ns)
			return true;
	return false;
}

/* A counter cannot say that a value is not known: its name says what 0 means then. */
static void put_power(struct perfetto_trace *trace, const struct source *source, guint counter)
{
	const GArray *curve = source->curve;
	uint32_t gpu = gpu_of(trace->ledger->model, source);
	char *place = hosts_place(trace->ledger->model, source->recording->host);
	char *name = g_strdup_printf("power of %s%s %s (%s%s)", source->device, place,
		source->sensor->domain, source->sensor->source,
		has_holes(curve) ? "; 0 W: not known" : "");
	uint64_t until_ns = 0;

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);
		uint64_t length_ns = interval->end_ns - interval->begin_ns;

		if (!i)
			put_counter(trace, counter, gpu, name, UNIT_WATT, interval->begin_ns);
		if (interval->begin_ns != until_ns)
			put_value(trace, counter, gpu, 0, interval->begin_ns);
		if (length_ns)
			put_value(trace, counter, gpu,
				(double)interval->energy_nj / (double)length_ns, interval->end_ns);
		until_ns = interval->end_ns;
	}
	g_free(name);
	g_free(place);
}

static void put_clock(struct perfetto_trace *trace, const GArray *states, uint32_t gpu,
	size_t member, const char *name, guint counter)
{
	bool begun = false;

	for (guint i = 0; i + 1 < states->len; i++) {
		const struct model_state *state = &g_array_index(states, struct model_state, i);
		uint32_t clock_mhz = *(const uint32_t *)((const char *)state + member);

		if (clock_mhz == PWRTRACE_UNKNOWN_U32)
			continue;
		if (!begun) {
			put_counter(trace, counter, gpu, name, UNIT_MEGAHERTZ, state->time_ns);
			put_value(trace, counter, gpu, clock_mhz, state->time_ns);
		}
		begun = true;
		put_value(trace, counter, gpu, clock_mhz, state[1].time_ns);
	}
}

/* The first device that a sensor measures. */
static uint32_t gpu_of_sensor(const struct model *model, const struct model_sensor *sensor)
{
	const struct model_recording *recording =
		source_recording(model, sensor->trace, sensor->process_number);

	for (guint i = 0; recording && i < model->gpus->len; i++)
		if (source_measures(
			    recording, sensor, &g_array_index(model->gpus, struct model_gpu, i)))
			return i;
	return MODEL_NONE;
}

/* How busy a part of a device was.  Where counting begins anew, the counter falls. */
static void put_busy(struct perfetto_trace *trace, const struct model_sensor *sensor, guint counter)
{
	uint32_t gpu = gpu_of_sensor(trace->ledger->model, sensor);
	char *name = g_strdup_printf(
		"%s of %s (0 %%: idle, or not counted)", sensor->domain, sensor->device);

	for (guint i = 1; i < sensor->readings->len; i++) {
		const struct model_reading *since =
			&g_array_index(sensor->readings, struct model_reading, i - 1);
		bool counted = since[1].time_ns > since->time_ns && since[1].value >= since->value;
		double share = counted ? (double)(since[1].value - since->value) /
						 (double)(since[1].time_ns - since->time_ns)
				       : 0;

		if (i == 1)
			put_counter(trace, counter, gpu, name, UNIT_PERCENT, since->time_ns);
		put_value(trace, counter, gpu, 100 * MIN(share, 1), since[1].time_ns);
	}
	g_free(name);
}

void perfetto_put_counters(struct perfetto_trace *trace)
{
	const struct model *model = trace->ledger->model;
	const GArray *sources = trace->ledger->sources;
	struct states *states = states_of(model);
	guint counter = 1;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);

		if (!source->estimated)
			put_power(trace, source, counter++);
	}
	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (strcmp(sensor->quantity, "busy") == 0)
			put_busy(trace, sensor, counter++);
	}
	for (guint i = 0; i < model->gpus->len; i++) {
		const GArray *list = states_list(states, i);

		if (!list)
			continue;
		put_clock(trace, list, i, offsetof(struct model_state, sm_clock_mhz), "clock",
			counter++);
		put_clock(trace, list, i, offsetof(struct model_state, memory_clock_mhz),
			"memory clock", counter++);
	}
	states_free(states);
}
