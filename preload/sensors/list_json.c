/* SPDX-License-Identifier: MIT */
/* The schema pwrtrace-sensors/1, described in pwrtrace-sensors(1). */
#include <jansson.h>
#include <math.h>

#include "preload/sensors/listing.h"

static json_t *text_json(const char *text)
{
	json_t *string = json_string(text);

	return string ? string : json_string("?"); /* no UTF-8 */
}

static json_t *column_json(const struct listing_column *column)
{
	if (column->text)
		return text_json(column->text);
	return isnan(column->number) ? json_null() : json_real(column->number * column->scale);
}

static json_t *sensor_json(const struct listed_sensor *listed)
{
	struct listing_column columns[LISTING_COLUMNS_MAX];
	size_t count = listing_columns(listed, columns);
	json_t *object = json_object();

	for (size_t i = 0; i < count; i++)
		json_object_set_new(object, columns[i].key, column_json(&columns[i]));
	return object;
}

static void add_note(void *data, const char *source, const char *why)
{
	json_array_append_new(data,
		json_pack("{s:o,s:o}", "source", text_json(source), "problem", text_json(why)));
}

void listing_put_json(const struct listing *listing)
{
	json_t *sensors = json_array(), *problems = json_array(), *whole;

	for (size_t i = 0; i < listing->count; i++)
		json_array_append_new(sensors, sensor_json(&listing->list[i]));
	listing_each_note(listing, add_note, problems);
	whole = json_pack("{s:s,s:o,s:o}", "schema", "pwrtrace-sensors/1", "sensors", sensors,
		"problems", problems);
	json_dumpf(whole, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(whole);
}
