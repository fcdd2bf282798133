/* SPDX-License-Identifier: MIT */
/* A series from a file, written as if it were measured now: for tests, and for power that a meter
 * of one's own recorded.  Each device and domain of the file is a sensor; all are top-level. */
#include "preload/power/core/power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/power/external/replay_csv.h"
#include "pwrtrace/units.h"

struct replay {
	struct replay_csv csv;
	struct power_sensor *sensors;
	size_t *written; /* rows written so far, of each series */
};

static void close_replay(void *state)
{
	struct replay *replay = state;

	replay_csv_free(&replay->csv);
	free(replay->sensors);
	free(replay->written);
	free(replay);
}

static struct power_sensor sensor_of(const struct replay_series *from)
{
	return (struct power_sensor){
		.device = from->device,
		.domain = from->domain,
		.part_of = from->part_of,
		.quantity = from->quantity,
		.period_ns = from->period_ns,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.poll_ns = 10 * PWRTRACE_NS_PER_MS,
		.batched = true,
	};
}

static void *open_replay(const char *argument, char *why)
{
	struct replay *replay = calloc(1, sizeof(*replay));
	struct replay_csv *csv;

	if (!replay) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	csv = &replay->csv;
	if (!*argument) {
		snprintf(why, POWER_WHY_MAX, "which file? say replay:FILE");
		free(replay);
		return NULL;
	}
	if (replay_csv_read(csv, argument, why, POWER_WHY_MAX)) {
		free(replay);
		return NULL;
	}
	replay->sensors = calloc(csv->count, sizeof(*replay->sensors));
	replay->written = calloc(csv->count, sizeof(*replay->written));
	if (!replay->sensors || !replay->written) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		close_replay(replay);
		return NULL;
	}
	for (size_t i = 0; i < csv->count; i++)
		replay->sensors[i] = sensor_of(&csv->series[i]);
	return replay;
}

static size_t replay_sensors(void *state, const struct power_sensor **sensors)
{
	const struct replay *replay = state;

	*sensors = replay->sensors;
	return replay->csv.count;
}

static void write_row(const struct replay_series *series, const struct replay_row *row,
	const struct power_sink *sink)
{
	struct pwrtrace_device_state device_state = POWER_STATE_UNKNOWN;
	uint64_t time_ns = sink->begin_ns + row->time_ns;

	if (strcmp(series->quantity, "state") != 0) {
		sink->value(sink, time_ns, row->value);
		return;
	}
	device_state.time_ns = time_ns;
	device_state.sm_clock_mhz = row->sm_clock_mhz;
	device_state.temperature_c = row->temperature_c;
	sink->state(sink, &device_state);
}

static void write_replay(void *state, size_t i, const struct power_sink *sink)
{
	struct replay *replay = state;
	const struct replay_series *series = &replay->csv.series[i];
	uint64_t elapsed_ns = sink->now_ns - sink->begin_ns;
	size_t *next = &replay->written[i];

	for (; *next < series->count && series->rows[*next].time_ns <= elapsed_ns; ++*next)
		write_row(series, &series->rows[*next], sink);
}

const struct power_source power_replay = {
	.name = "replay",
	.argument = "FILE",
	.help = "a series from a CSV file: time_ns,device,domain,power_mw (or energy_uj), or "
		"nvidia-smi's",
	.open = open_replay,
	.sensors = replay_sensors,
	.write = write_replay,
	.close = close_replay,
};
