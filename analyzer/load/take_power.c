/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <math.h>
#include <string.h>

static struct model_sensor new_sensor(unsigned trace, uint32_t process, uint32_t id)
{
	return (struct model_sensor){.trace = trace,
		.process_number = process,
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
	struct model *model, unsigned trace, uint32_t process, uint32_t id)
{
	struct model_sensor fresh = new_sensor(trace, process, id);

	for (guint i = 0; i < model->sensors->len; i++) {
		struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (sensor->trace == trace && sensor->process_number == process && sensor->id == id)
			return sensor;
	}
	fresh.readings = g_array_new(FALSE, FALSE, sizeof(struct model_reading));
	fresh.taps = g_array_new(FALSE, TRUE, sizeof(struct model_tap));
	g_array_append_val(model->sensors, fresh);
	return &g_array_index(model->sensors, struct model_sensor, model->sensors->len - 1);
}

static struct model_state_sensor *state_sensor_at(
	struct model *model, unsigned trace, uint32_t process, uint32_t id)
{
	struct model_state_sensor fresh = {.about = new_sensor(trace, process, id)};

	for (guint i = 0; i < model->state_sensors->len; i++) {
		struct model_state_sensor *sensor =
			&g_array_index(model->state_sensors, struct model_state_sensor, i);

		if (sensor->about.trace == trace && sensor->about.process_number == process &&
			sensor->about.id == id)
			return sensor;
	}
	fresh.states = g_array_new(FALSE, FALSE, sizeof(struct model_state));
	g_array_append_val(model->state_sensors, fresh);
	return &g_array_index(
		model->state_sensors, struct model_state_sensor, model->state_sensors->len - 1);
}

void take_device_state(struct loader *loader, unsigned trace, const struct pwrtrace_device_state *e)
{
	const struct model_state state = {.time_ns = e->time_ns,
		.throttle_reasons = e->throttle_reasons,
		.sm_clock_mhz = e->sm_clock_mhz,
		.memory_clock_mhz = e->memory_clock_mhz,
		.limit_mw = e->limit_mw,
		.edpp_limit_mw = e->edpp_limit_mw,
		.temperature_c = e->temperature_c,
		.sm_percent = e->sm_percent,
		.tensor_percent = e->tensor_percent,
		.memory_percent = e->memory_percent};

	if (e->time_ns != PWRTRACE_UNKNOWN_U64)
		g_array_append_val(
			state_sensor_at(loader->model, trace, e->process, e->sensor)->states,
			state);
}

void take_sensor_def(struct loader *loader, unsigned trace, const struct pwrtrace_sensor_def *e)
{
	/* A sensor of clocks and temperatures measures no energy. */
	struct model_sensor *sensor =
		strcmp(e->quantity, "state") == 0
			? &state_sensor_at(loader->model, trace, e->process, e->sensor)->about
			: sensor_at(loader->model, trace, e->process, e->sensor);

	sensor->source = loader_text(loader, e->source);
	sensor->device = loader_text(loader, e->device);
	sensor->pci = loader_text(loader, e->pci);
	sensor->domain = loader_text(loader, e->domain);
	sensor->part_of = loader_text(loader, e->part_of);
	sensor->quantity = loader_text(loader, e->quantity);
	sensor->driver = loader_text(loader, e->driver);
	sensor->period_ns = e->period_ns;
	sensor->window_ns = e->window_ns;
	sensor->lag_ns = e->lag_ns;
	sensor->poll_ns = e->poll_ns;
	sensor->read_cost_ns = e->read_cost_ns;
}

void take_sensor_calibration(
	struct loader *loader, unsigned trace, const struct pwrtrace_sensor_calibration *e)
{
	struct model_sensor *sensor = sensor_at(loader->model, trace, e->process, e->sensor);

	sensor->calibrated = loader_text(loader, e->calibrated);
	sensor->noise_w = e->noise_w;
	sensor->gain = e->gain;
	sensor->off_grid = e->off_grid;
	sensor->jitter_ns = e->jitter_ns;
}

/* Definitions may be in the trace twice, since they are written again when a session is restarted:
 * taps are stored by index. */
void take_sensor_response(
	struct loader *loader, unsigned trace, const struct pwrtrace_sensor_response *e)
{
	GArray *taps = sensor_at(loader->model, trace, e->process, e->sensor)->taps;

	if (e->tap >= MODEL_TAPS_MAX)
		return;
	if (e->tap >= taps->len)
		g_array_set_size(taps, e->tap + 1);
	g_array_index(taps, struct model_tap, e->tap) = (struct model_tap){e->lag_ns, e->weight};
}

static void add_reading(
	struct loader *loader, struct model_sensor *sensor, uint64_t time_ns, uint64_t value)
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
	loader_reach(loader, sensor->trace, time_ns);
}

void take_power_sample(struct loader *loader, unsigned trace, const struct pwrtrace_power_sample *e)
{
	add_reading(loader, sensor_at(loader->model, trace, e->process, e->sensor), e->time_ns,
		e->power_mw);
}

void take_busy_counter(struct loader *loader, unsigned trace, const struct pwrtrace_busy_counter *e)
{
	add_reading(loader, sensor_at(loader->model, trace, e->process, e->sensor), e->time_ns,
		e->busy_ns);
}

void take_energy_counter(
	struct loader *loader, unsigned trace, const struct pwrtrace_energy_counter *e)
{
	add_reading(loader, sensor_at(loader->model, trace, e->process, e->sensor), e->time_ns,
		e->energy_uj);
}
