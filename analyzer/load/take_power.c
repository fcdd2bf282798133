/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "analyzer/load/readings.h"
#include "analyzer/print/message.h"

static struct model_recording *recording_at(struct model *model, unsigned trace, uint32_t pid)
{
	struct model_recording fresh = {.trace = trace,
		.pid = pid,
		.host = "",
		.machine = "",
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

void take_recording(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_recording *e = record;
	struct model_recording *recording = recording_at(model, trace, e->pid);

	recording->host = take_text(model, e->host);
	recording->machine = take_machine(model, e->host, e->boot_id);
	recording->command = take_text(model, e->command);
	recording->power = take_text(model, e->power);
	recording->span.begin_ns = e->begin_ns;
	take_schema(model, e->schema);
}

void take_recording_end(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_recording_end *e = record;
	struct model_recording *recording = recording_at(model, trace, e->pid);

	recording->why = take_text(model, e->why);
	if (e->end_ns == PWRTRACE_UNKNOWN_U64)
		return;
	recording->span.end_ns = e->end_ns;
	model_reach(model, trace, e->end_ns);
}

static struct model_sensor new_sensor(unsigned trace, uint32_t pid, uint32_t id)
{
	return (struct model_sensor){.trace = trace,
		.pid = pid,
		.id = id,
		.source = "",
		.device = "",
		.pci = "",
		.domain = "",
		.part_of = "",
		.quantity = "",
		.driver = "",
		.calibrated = "",
		.period_ns = PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.poll_ns = PWRTRACE_UNKNOWN_U64,
		.jitter_ns = PWRTRACE_UNKNOWN_U64,
		.noise_w = NAN,
		.gain = NAN,
		.off_grid = NAN,
		.read_cost_ns = PWRTRACE_UNKNOWN_U64};
}

static struct model_sensor *sensor_at(
	struct model *model, unsigned trace, uint32_t pid, uint32_t id)
{
	struct model_sensor fresh = new_sensor(trace, pid, id);

	for (guint i = 0; i < model->sensors->len; i++) {
		struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (sensor->trace == trace && sensor->pid == pid && sensor->id == id)
			return sensor;
	}
	fresh.readings = g_array_new(FALSE, FALSE, sizeof(struct model_reading));
	fresh.taps = g_array_new(FALSE, TRUE, sizeof(struct model_tap));
	g_array_append_val(model->sensors, fresh);
	return &g_array_index(model->sensors, struct model_sensor, model->sensors->len - 1);
}

static struct model_state_sensor *state_sensor_at(
	struct model *model, unsigned trace, uint32_t pid, uint32_t id)
{
	struct model_state_sensor fresh = {.about = new_sensor(trace, pid, id)};

	for (guint i = 0; i < model->state_sensors->len; i++) {
		struct model_state_sensor *sensor =
			&g_array_index(model->state_sensors, struct model_state_sensor, i);

		if (sensor->about.trace == trace && sensor->about.pid == pid &&
			sensor->about.id == id)
			return sensor;
	}
	fresh.states = g_array_new(FALSE, FALSE, sizeof(struct model_state));
	g_array_append_val(model->state_sensors, fresh);
	return &g_array_index(
		model->state_sensors, struct model_state_sensor, model->state_sensors->len - 1);
}

void take_device_state(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_device_state *e = record;
	struct model_state state = {e->time_ns, e->sm_clock_mhz, e->throttle_reasons};

	if (e->time_ns != PWRTRACE_UNKNOWN_U64)
		g_array_append_val(state_sensor_at(model, trace, e->pid, e->sensor)->states, state);
}

void take_sensor_def(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_sensor_def *e = record;
	/* A sensor of clocks and temperatures measures no energy. */
	struct model_sensor *sensor =
		strcmp(e->quantity, "state") == 0
			? &state_sensor_at(model, trace, e->pid, e->sensor)->about
			: sensor_at(model, trace, e->pid, e->sensor);

	sensor->source = take_text(model, e->source);
	sensor->device = take_text(model, e->device);
	sensor->pci = take_text(model, e->pci);
	sensor->domain = take_text(model, e->domain);
	sensor->part_of = take_text(model, e->part_of);
	sensor->quantity = take_text(model, e->quantity);
	sensor->driver = take_text(model, e->driver);
	sensor->period_ns = e->period_ns;
	sensor->window_ns = e->window_ns;
	sensor->lag_ns = e->lag_ns;
	sensor->poll_ns = e->poll_ns;
	sensor->read_cost_ns = e->read_cost_ns;
}

void take_sensor_calibration(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_sensor_calibration *e = record;
	struct model_sensor *sensor = sensor_at(model, trace, e->pid, e->sensor);

	sensor->calibrated = take_text(model, e->calibrated);
	sensor->noise_w = e->noise_w;
	sensor->gain = e->gain;
	sensor->off_grid = e->off_grid;
	sensor->jitter_ns = e->jitter_ns;
}

/* Definitions are written again where a recording's session begins anew: a tap has one place. */
void take_sensor_response(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_sensor_response *e = record;
	GArray *taps = sensor_at(model, trace, e->pid, e->sensor)->taps;

	if (e->tap >= MODEL_TAPS_MAX)
		return;
	if (e->tap >= taps->len)
		g_array_set_size(taps, e->tap + 1);
	g_array_index(taps, struct model_tap, e->tap) = (struct model_tap){e->lag_ns, e->weight};
}

/* Whatever is wrong with one tap, the others make no response without it. */
static void check_response(struct model_sensor *sensor)
{
	for (guint i = 0; i < sensor->taps->len; i++) {
		double weight = g_array_index(sensor->taps, struct model_tap, i).weight;

		if (weight >= 0 && weight <= FLT_MAX)
			continue;
		message_warn("sensor %s of %s: its calibrated response weights a tap by %g and is "
			     "left out; calibrate it again with pwrtrace sensors --calibrate",
			sensor->source, sensor->device, weight);
		g_array_set_size(sensor->taps, 0);
	}
}

void take_end_of_sensors(struct model *model)
{
	for (guint i = 0; i < model->sensors->len; i++) {
		struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		readings_tidy(sensor);
		check_response(sensor);
	}
}

static void add_reading(
	struct model *model, struct model_sensor *sensor, uint64_t time_ns, uint64_t value)
{
	struct model_reading reading = {time_ns, value};
	const GArray *readings = sensor->readings;

	if (time_ns == PWRTRACE_UNKNOWN_U64 || value == PWRTRACE_UNKNOWN_U64)
		return;
	if (readings->len)
		sensor->misdated +=
			time_ns <
			g_array_index(readings, struct model_reading, readings->len - 1).time_ns;
	g_array_append_val(sensor->readings, reading);
	model_reach(model, sensor->trace, time_ns);
}

void take_power_sample(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_power_sample *e = record;

	add_reading(model, sensor_at(model, trace, e->pid, e->sensor), e->time_ns, e->power_mw);
}

void take_energy_counter(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_energy_counter *e = record;

	add_reading(model, sensor_at(model, trace, e->pid, e->sensor), e->time_ns, e->energy_uj);
}
