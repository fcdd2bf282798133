/* SPDX-License-Identifier: MIT */
#include "preload/sensors/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/log.h"
#include "preload/sensors/opening.h"
#include "preload/sensors/sensors.h"

const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

const char *sensor_kind(const struct power_sensor *sensor)
{
	static const struct {
		const char *quantity, *kind;
	} kinds[] = {
		{"power", "gauge"},
		{"energy", "counter"},
		{"busy", "busy"},
		{"state", "state"},
		{"model", "estimate"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].quantity, sensor->quantity) == 0)
			return kinds[i].kind;
	return sensor->quantity;
}

void listing_each_note(const struct listing *listing,
	void (*put)(void *data, const char *source, const char *why), void *data)
{
	for (size_t i = 0; i < listing->sources.count; i++) {
		const struct power_source *source = &listing->sources.list[i];
		const struct power_note *note;

		if (!source->state)
			put(data, source->name, source->problem);
		for (size_t k = 0; source->state && source->ops->note &&
				   (note = source->ops->note(source->state, k));
			k++)
			put(data, source->name, note->why);
	}
}

static void look_at(struct listing *listing, const struct power_source *source, size_t i)
{
	struct listed_sensor *listed = &listing->list[listing->count++];

	*listed = (struct listed_sensor){.source = source,
		.sensor = source->sensors[i],
		.part_of = source_part_of(&listing->sources, &source->sensors[i]),
		.read_cost_ns = PWRTRACE_UNKNOWN_U64};
	listed->calibrated = kept_response_apply(&listed->response, source->name, &listed->sensor);
	if (!listed->sensor.problem && source->ops->read)
		listed->read_cost_ns = source_read_cost_ns(source, i);
}

int listing_open(struct listing *listing, const char *power)
{
	size_t count = 0;

	if (opening_in_time(&listing->sources, sources_list, power))
		return SENSORS_BAD_USAGE;
	for (size_t i = 0; i < listing->sources.count; i++)
		count += listing->sources.list[i].sensor_count;
	listing->list = calloc(count + 1, sizeof(*listing->list));
	if (!listing->list) {
		log_error("out of memory");
		return SENSORS_BAD_INPUT;
	}
	for (size_t i = 0; i < listing->sources.count; i++)
		for (size_t k = 0; k < listing->sources.list[i].sensor_count; k++)
			look_at(listing, &listing->sources.list[i], k);
	return 0;
}

void listing_close(struct listing *listing)
{
	sources_close(&listing->sources);
	free(listing->list);
}

/* ---- columns ---- */

#define TEXT(of) .text = text_or_empty(of), .number = NAN, .applies = true
#define OPTIONAL_TEXT(of) .text = (of), .number = NAN, .applies = true
#define TIME(time_ns, per_s, has)                                                                  \
	.number = known((time_ns), 1e-9, PWRTRACE_UNKNOWN_U64), .unit = "s", .scale = (per_s),     \
	.applies = (has)

static double known(uint64_t value, double scale, uint64_t unknown)
{
	return value == unknown ? NAN : (double)value * scale;
}

size_t listing_columns(
	const struct listed_sensor *listed, struct listing_column columns[LISTING_COLUMNS_MAX])
{
	const struct power_sensor *sensor = &listed->sensor;
	bool gauge = strcmp(sensor->quantity, "power") == 0;
	bool counter = strcmp(sensor->quantity, "energy") == 0;
	bool estimate = strcmp(sensor->quantity, "model") == 0;
	const struct listing_column rows[] = {
		{"device", TEXT(sensor->device)},
		{"device_name", TEXT(sensor->device_name)},
		{"pci", TEXT(sensor->pci)},
		{"driver", TEXT(sensor->driver)},
		{"domain", "DOMAIN", TEXT(sensor->domain)},
		{"source", "SOURCE", TEXT(listed->source->name)},
		{"part_of", TEXT(listed->part_of)},
		{"kind", "KIND", TEXT(sensor_kind(sensor))},
		{"period_ms", "PERIOD", TIME(sensor->period_ns, 1e3, !estimate)},
		{"window_ms", "WINDOW", TIME(sensor->window_ns, 1e3, gauge)},
		{"lag_ms", "LAG", TIME(sensor->lag_ns, 1e3, gauge || counter)},
		{"resolution_w", "RESOLUTION", .number = known(sensor->resolution_uw, 1e-6, 0),
			.unit = "W", .scale = 1, .applies = gauge},
		{"resolution_j", "RESOLUTION", .number = known(sensor->resolution_nj, 1e-9, 0),
			.unit = "J", .scale = 1, .applies = counter},
		{"read_cost_us", "A READING",
			TIME(listed->read_cost_ns, 1e6, listed->source->ops->read)},
		{"poll_ms", .number = known(sensor->poll_ns, 1e-9, 0), .unit = "s", .scale = 1e3},
		{"calibrated",
			OPTIONAL_TEXT(listed->calibrated ? listed->response.calibrated : NULL)},
		{"problem", OPTIONAL_TEXT(sensor->problem)},
	};

	_Static_assert(sizeof(rows) / sizeof(*rows) <= LISTING_COLUMNS_MAX, "make more room");
	memcpy(columns, rows, sizeof(rows));
	return sizeof(rows) / sizeof(*rows);
}
