/* SPDX-License-Identifier: MIT */
/* The schema pwrtrace-sensors/1, described in pwrtrace-sensors(1). */
#include <jansson.h>

#include "preload/sensors/list.h"

static json_t *text_json(const char *text)
{
	json_t *string = json_string(entry_text(text));

	return string ? string : json_string("?"); /* no UTF-8 */
}

static json_t *scaled_json(uint64_t value, double scale, uint64_t unknown)
{
	return value == unknown ? json_null() : json_real((double)value * scale);
}

static json_t *entry_json(const struct entry *entry)
{
	const struct power_sensor *sensor = &entry->sensor;
	const struct {
		const char *key;
		json_t *value;
	} rows[] = {
		{"source", text_json(entry->source->name)},
		{"device", text_json(sensor->device)},
		{"device_name", text_json(sensor->device_name)},
		{"pci", text_json(sensor->pci)},
		{"driver", text_json(sensor->driver)},
		{"domain", text_json(sensor->domain)},
		{"part_of", text_json(entry->part_of)},
		{"kind", text_json(entry_kind(entry))},
		{"period_ms", scaled_json(sensor->period_ns, 1e-6, PWRTRACE_UNKNOWN_U64)},
		{"window_ms", scaled_json(sensor->window_ns, 1e-6, PWRTRACE_UNKNOWN_U64)},
		{"lag_ms", scaled_json(sensor->lag_ns, 1e-6, PWRTRACE_UNKNOWN_U64)},
		{"resolution_w", scaled_json(sensor->resolution_uw, 1e-6, 0)},
		{"resolution_j", scaled_json(sensor->resolution_nj, 1e-9, 0)},
		{"read_cost_us", scaled_json(entry->read_cost_ns, 1e-3, PWRTRACE_UNKNOWN_U64)},
		{"poll_ms", scaled_json(sensor->poll_ns, 1e-6, 0)},
		{"calibrated",
			entry->calibrated ? text_json(entry->response.calibrated) : json_null()},
		{"problem", sensor->problem ? text_json(sensor->problem) : json_null()},
	};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		json_object_set_new(object, rows[i].key, rows[i].value);
	return object;
}

static void add_note(void *data, const char *source, const char *why)
{
	json_array_append_new(data,
		json_pack("{s:o,s:o}", "source", text_json(source), "problem", text_json(why)));
}

void entries_put_json(const struct entries *entries)
{
	json_t *sensors = json_array(), *problems = json_array(), *whole;

	for (size_t i = 0; i < entries->count; i++)
		json_array_append_new(sensors, entry_json(&entries->list[i]));
	entries_each_note(entries, add_note, problems);
	whole = json_pack("{s:s,s:o,s:o}", "schema", "pwrtrace-sensors/1", "sensors", sensors,
		"problems", problems);
	json_dumpf(whole, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(whole);
}
