/* SPDX-License-Identifier: MIT */
#include "preload/engine/sampler/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/power/kept_response.h"

/* How many values a second all sensors of power together may write: an event takes 28 bytes, so
 * that this is 26 MB an hour. */
#define VALUES_PER_S 260.0

/* How many values a second all sensors that give one value per reading may write in any case. */
#define LEAST_PER_S (VALUES_PER_S / 4)

/* A time without values is reported as lost if it is longer than this many polls and than a
 * second; the analyzer finds shorter ones in the values themselves. */
#define GAP_POLLS 3
#define GAP_NS PWRTRACE_NS_PER_S

static const struct power_sensor *sensor_of(const struct reader *reader)
{
	return &reader->source->sensors[reader->index];
}

/* Returns how many times the cost of a reading the time between two readings must be. */
static uint64_t cost_share(void)
{
	return (uint64_t)(100 / conf_number(conf.poll_cost));
}

static bool is_a(const struct reader *reader, const char *quantity)
{
	return strcmp(sensor_of(reader)->quantity, quantity) == 0;
}

static uint64_t wanted_ns(const struct power_sensor *sensor)
{
	uint64_t poll_ns =
		*conf.poll_ms ? (uint64_t)(conf_number(conf.poll_ms) * PWRTRACE_NS_PER_MS) : 0;

	return poll_ns && sensor->poll_ns && !sensor->batched &&
			       strcmp(sensor->quantity, "state") != 0
		       ? poll_ns
		       : sensor->poll_ns;
}

struct reader *readers_make(const struct power_sources *sources, size_t *count)
{
	struct reader *readers;
	size_t sensors = 0;

	*count = 0;
	for (size_t i = 0; i < sources->count; i++)
		sensors += sources->list[i].sensor_count;
	readers = calloc(sensors ? sensors : 1, sizeof(*readers));
	for (size_t i = 0; readers && i < sources->count; i++) {
		const struct power_source *source = &sources->list[i];

		for (size_t k = 0; k < source->sensor_count; k++) {
			uint64_t poll_ns = wanted_ns(&source->sensors[k]);

			if (source->sensors[k].problem)
				continue;
			readers[*count] = (struct reader){.source = source,
				.index = k,
				.id = (uint32_t)*count + 1,
				.part_of = source_part_of(sources, &source->sensors[k]),
				.wanted_ns = poll_ns,
				.poll_ns = poll_ns};
			++*count;
		}
	}
	return readers;
}

static uint64_t at_least(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

/* Whether a sensor may be read less often than it asks for: if a reading gives one value, and the
 * user has not set how often. */
static bool gives_way(const struct reader *reader)
{
	return reader->wanted_ns && !*conf.poll_ms && !sensor_of(reader)->batched &&
	       !is_a(reader, "state");
}

static double values_per_s(const struct reader *reader)
{
	const struct power_sensor *sensor = sensor_of(reader);
	uint64_t step_ns = sensor->batched && sensor->period_ns != PWRTRACE_UNKNOWN_U64
				   ? sensor->period_ns
				   : reader->poll_ns;

	return step_ns ? (double)PWRTRACE_NS_PER_S / (double)step_ns : 0;
}

static void limit_rate(struct reader *readers, size_t count)
{
	double fixed = 0, flexible = 0, room;

	for (size_t i = 0; i < count; i++)
		if (!is_a(&readers[i], "busy"))
			*(gives_way(&readers[i]) ? &flexible : &fixed) += values_per_s(&readers[i]);
	room = VALUES_PER_S - fixed > LEAST_PER_S ? VALUES_PER_S - fixed : LEAST_PER_S;
	for (size_t i = 0; flexible > room && i < count; i++)
		if (gives_way(&readers[i]))
			readers[i].wanted_ns = readers[i].poll_ns =
				(uint64_t)((double)readers[i].poll_ns * flexible / room);
}

void readers_plan(struct reader *readers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct reader *reader = &readers[i];

		if (!reader->poll_ns)
			continue;
		reader->read_cost_ns = source_read_cost_ns(reader->source, reader->index);
		reader->poll_ns = at_least(reader->wanted_ns, reader->read_cost_ns * cost_share());
	}
	limit_rate(readers, count);
}

/* ---- into the trace ---- */

static uint64_t known(uint64_t value)
{
	return value ? value : PWRTRACE_UNKNOWN_U64;
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static void write_response(const struct reader *reader, const struct kept_response *response)
{
	tp_sensor_calibration(&(struct pwrtrace_sensor_calibration){
		.process = process_number,
		.sensor = reader->id,
		.taps = (uint32_t)response->tap_count,
		.jitter_ns = response->jitter_ns,
		.noise_w = response->noise_w,
		.gain = response->gain,
		.off_grid = response->off_grid,
		.calibrated = response->calibrated,
	});
	for (size_t i = 0; i < response->tap_count; i++)
		tp_sensor_response(&(struct pwrtrace_sensor_response){
			.process = process_number,
			.sensor = reader->id,
			.tap = (uint32_t)i,
			.lag_ns = response->taps[i].lag_ns,
			.weight = response->taps[i].weight,
		});
}

static void write_definition(const struct reader *reader)
{
	struct power_sensor calibrated = *sensor_of(reader), *sensor = &calibrated;
	struct kept_response response;
	bool kept = kept_response_apply(&response, reader->source->name, sensor);

	tp_sensor_def(&(struct pwrtrace_sensor_def){
		.process = process_number,
		.sensor = reader->id,
		.period_ns = sensor->period_ns,
		.window_ns = sensor->window_ns,
		.lag_ns = sensor->lag_ns,
		.read_cost_ns = reader->read_cost_ns,
		.source = reader->source->name,
		.device = text_of(sensor->device),
		.domain = sensor->domain,
		.part_of = reader->part_of,
		.quantity = sensor->quantity,
		.poll_ns = known(reader->poll_ns),
		.resolution_uw = known(sensor->resolution_uw),
		.resolution_nj = known(sensor->resolution_nj),
		.device_name = text_of(sensor->device_name),
		.pci = text_of(sensor->pci),
		.driver = text_of(sensor->driver),
	});
	if (kept)
		write_response(reader, &response);
}

void reader_describe(struct reader *reader)
{
	write_definition(reader);
	reader->state.process = 0;
	reader->value_ns = 0;
}

const char *reader_event(const struct power_sensor *sensor)
{
	static const struct {
		const char *quantity, *event;
	} events[] = {
		{"energy", "energy_counter"}, {"busy", "busy_counter"}, {"state", "device_state"}};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (strcmp(sensor->quantity, events[i].quantity) == 0)
			return events[i].event;
	return "power_sample";
}

__attribute__((format(printf, 3, 4))) static void write_lost(
	const struct reader *reader, uint64_t count, const char *format, ...)
{
	const struct power_sensor *sensor = sensor_of(reader);
	char why[256];
	int used = snprintf(why, sizeof(why), "%s: %s, %s: ", reader->source->name,
		text_of(sensor->device), sensor->domain);
	va_list args;

	va_start(args, format);
	if (used >= 0 && (size_t)used < sizeof(why))
		vsnprintf(why + used, sizeof(why) - used, format, args);
	va_end(args);
	lost_write(reader_event(sensor), why, count);
}

static double ms(uint64_t ns)
{
	return (double)ns / (double)PWRTRACE_NS_PER_MS;
}

static void report_gap(const struct reader *reader, uint64_t time_ns)
{
	uint64_t passed_ns = time_ns - reader->value_ns;

	/* A source that is not read hands over a recorded series, which has gaps of its own. */
	if (reader->value_ns && reader->source->ops->read && time_ns > reader->value_ns &&
		passed_ns > at_least(GAP_NS, GAP_POLLS * reader->poll_ns))
		write_lost(
			reader, passed_ns / reader->poll_ns, "no value for %.0f ms", ms(passed_ns));
}

struct trace_sink {
	struct power_sink sink; /* first: a sink's address is this struct's */
	struct reader *reader;
};

static void write_value(const struct power_sink *sink, uint64_t time_ns, uint64_t value)
{
	struct reader *reader = ((const struct trace_sink *)sink)->reader;
	report_gap(reader, time_ns);
	if (is_a(reader, "energy") && reader->value_ns && value < reader->value)
		write_lost(reader, 1, "the counter began anew");
	reader->value_ns = time_ns;
	reader->value = value;
	if (is_a(reader, "busy"))
		tp_busy_counter(&(struct pwrtrace_busy_counter){.process = process_number,
			.sensor = reader->id,
			.time_ns = time_ns,
			.busy_ns = value});
	else if (is_a(reader, "energy"))
		tp_energy_counter(&(struct pwrtrace_energy_counter){.process = process_number,
			.sensor = reader->id,
			.time_ns = time_ns,
			.energy_uj = value});
	else
		tp_power_sample(&(struct pwrtrace_power_sample){.process = process_number,
			.sensor = reader->id,
			.time_ns = time_ns,
			.power_mw = value});
}

static void write_state(const struct power_sink *sink, const struct pwrtrace_device_state *state)
{
	struct reader *reader = ((const struct trace_sink *)sink)->reader;
	struct pwrtrace_device_state now = *state;

	now.process = process_number;
	now.sensor = reader->id;
	now.time_ns = reader->state.time_ns;
	if (memcmp(&now, &reader->state, sizeof(now)) == 0)
		return;
	now.time_ns = state->time_ns;
	tp_device_state(&now);
	reader->state = now;
}

static uint64_t least_recent_ns(const struct reader *reader)
{
	uint64_t least_ns = reader->recent_cost_ns[0];

	for (size_t i = 1; i < READER_RECENT; i++)
		if (reader->recent_cost_ns[i] < least_ns)
			least_ns = reader->recent_cost_ns[i];
	return least_ns;
}

/* A reading that has become expensive is made less often, until it is cheap again; the trace then
 * defines the sensor anew.  The cost is the least of a few readings', because any of them may have
 * been interrupted. */
static void back_off(struct reader *reader, uint64_t cost_ns, bool described)
{
	uint64_t least_ns;

	reader->recent_cost_ns[reader->readings++ % READER_RECENT] = cost_ns;
	if (reader->readings < READER_RECENT)
		return;
	least_ns = cost_share() * least_recent_ns(reader);
	if (least_ns > reader->poll_ns + reader->poll_ns / 2) {
		reader->poll_ns = least_ns;
		reader->read_cost_ns = least_ns / cost_share();
		if (described)
			write_definition(reader);
	} else if (least_ns < reader->poll_ns / 2) {
		reader->poll_ns = at_least(reader->wanted_ns, least_ns);
	}
}

void reader_sample(struct reader *reader, bool described, uint64_t begin_ns, uint64_t now_ns)
{
	const struct power_source *source = reader->source;

	if (source->ops->read) {
		uint64_t read_ns = clock_now_ns();

		source->ops->read(source->state, reader->index);
		back_off(reader, clock_now_ns() - read_ns, described);
	}
	if (!source->ops->write || !described)
		return;
	source->ops->write(source->state, reader->index,
		&(struct trace_sink){.sink = {.begin_ns = begin_ns,
					     .now_ns = now_ns,
					     .value = write_value,
					     .state = write_state},
			.reader = reader}
			 .sink);
}

void reader_finish(struct reader *reader, uint64_t end_ns)
{
	if (!is_a(reader, "state"))
		report_gap(reader, end_ns);
}
