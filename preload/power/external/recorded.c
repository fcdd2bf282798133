/* SPDX-License-Identifier: MIT */
/* A series from a file, written as if it were measured now: for tests, and for power that a meter
 * of one's own recorded.  Each device and domain of the file is a sensor; all are top-level. */
#include "preload/power/core/power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/power/external/recorded_csv.h"
#include "pwrtrace/units.h"

struct recorded {
	struct recorded_file file;
	struct power_sensor *sensors;
	size_t *written; /* rows written so far, of each series */
};

static void close_recorded(void *state)
{
	struct recorded *recorded = state;

	recorded_file_free(&recorded->file);
	free(recorded->sensors);
	free(recorded->written);
	free(recorded);
}

static struct power_sensor sensor_of(const struct recorded_series *from)
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

static void *open_recorded(const char *argument, char *why)
{
	struct recorded *recorded = calloc(1, sizeof(*recorded));
	struct recorded_file *file;

	if (!recorded) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		return NULL;
	}
	file = &recorded->file;
	if (!*argument) {
		snprintf(why, POWER_WHY_MAX, "which file? say replay:FILE");
		free(recorded);
		return NULL;
	}
	if (recorded_csv_read(file, argument, why, POWER_WHY_MAX)) {
		free(recorded);
		return NULL;
	}
	recorded->sensors = calloc(file->count, sizeof(*recorded->sensors));
	recorded->written = calloc(file->count, sizeof(*recorded->written));
	if (!recorded->sensors || !recorded->written) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		close_recorded(recorded);
		return NULL;
	}
	for (size_t i = 0; i < file->count; i++)
		recorded->sensors[i] = sensor_of(&file->series[i]);
	return recorded;
}

static size_t recorded_sensors(void *state, const struct power_sensor **sensors)
{
	const struct recorded *recorded = state;

	*sensors = recorded->sensors;
	return recorded->file.count;
}

static void write_row(const struct recorded_series *series, const struct recorded_row *row,
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

static void write_recorded(void *state, size_t i, const struct power_sink *sink)
{
	struct recorded *recorded = state;
	const struct recorded_series *series = &recorded->file.series[i];
	uint64_t elapsed_ns = sink->now_ns - sink->begin_ns;
	size_t *next = &recorded->written[i];

	for (; *next < series->count && series->rows[*next].time_ns <= elapsed_ns; ++*next)
		write_row(series, &series->rows[*next], sink);
}

const struct power_ops power_replay = {
	.open = open_recorded,
	.sensors = recorded_sensors,
	.write = write_recorded,
	.close = close_recorded,
};
