/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/sensors/listing.h"

#define CELL_MAX 64

enum { DOMAIN, SOURCE, KIND, PERIOD, WINDOW, LAG, RESOLUTION, COST, COLUMNS };

static const struct {
	const char *title;
	bool left;
} columns[COLUMNS] = {
	[DOMAIN] = {"DOMAIN", true},
	[SOURCE] = {"SOURCE", true},
	[KIND] = {"KIND", true},
	[PERIOD] = {"PERIOD", false},
	[WINDOW] = {"WINDOW", false},
	[LAG] = {"LAG", false},
	[RESOLUTION] = {"RESOLUTION", false},
	[COST] = {"A READING", false},
};

typedef char row[COLUMNS][CELL_MAX];

/* Three digits and a prefix: "2.5 ms".  value is in 1e-9 of the unit. */
static void put_scaled(char cell[CELL_MAX], double value, const char *unit)
{
	static const char *const prefixes[] = {"n", "µ", "m", "", "k"};
	size_t prefix = 0;

	while (value >= 999.5 && prefix + 1 < sizeof(prefixes) / sizeof(*prefixes)) {
		value /= 1000;
		prefix++;
	}
	snprintf(cell, CELL_MAX, "%.3g %s%s", value, prefixes[prefix], unit);
}

/* What a kind of sensor does not have is "-", which is not unknown. */
static void put_time(char cell[CELL_MAX], bool has, uint64_t time_ns)
{
	if (!has)
		strcpy(cell, "-");
	else if (time_ns == PWRTRACE_UNKNOWN_U64)
		strcpy(cell, "unknown");
	else
		put_scaled(cell, (double)time_ns, "s");
}

static void put_resolution(char cell[CELL_MAX], const struct power_sensor *sensor, bool has)
{
	if (sensor->resolution_uw)
		put_scaled(cell, (double)sensor->resolution_uw * 1e3, "W");
	else if (sensor->resolution_nj)
		put_scaled(cell, (double)sensor->resolution_nj, "J");
	else
		strcpy(cell, has ? "unknown" : "-");
}

/* Names are the driver's, and go to a terminal. */
static void put_plain(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
	for (; *to; to++)
		if ((unsigned char)*to < ' ' || *to == 0x7f)
			*to = '?';
}

static void fill_row(row cells, const struct listed_sensor *listed)
{
	const struct power_sensor *sensor = &listed->sensor;
	bool gauge = strcmp(sensor->quantity, "power") == 0;
	bool counter = strcmp(sensor->quantity, "energy") == 0;
	bool estimate = strcmp(sensor->quantity, "model") == 0;

	put_plain(cells[DOMAIN], CELL_MAX, sensor->domain);
	put_plain(cells[SOURCE], CELL_MAX, listed->source->name);
	put_plain(cells[KIND], CELL_MAX, sensor_kind(&listed->sensor));
	put_time(cells[PERIOD], !estimate, sensor->period_ns);
	put_time(cells[WINDOW], gauge, sensor->window_ns);
	put_time(cells[LAG], gauge || counter, sensor->lag_ns);
	put_resolution(cells[RESOLUTION], sensor, gauge || counter);
	put_time(cells[COST], listed->source->ops->read, listed->read_cost_ns);
}

/* "µ" is two bytes and one column. */
static int width_of(const char *cell)
{
	int width = 0;

	for (; *cell; cell++)
		width += ((unsigned char)*cell & 0xc0) != 0x80;
	return width;
}

static void put_row(const row cells, const int widths[COLUMNS], const char *end)
{
	for (int i = 0; i < COLUMNS; i++) {
		int room = widths[i] - width_of(cells[i]);

		printf("  %*s%s%*s", columns[i].left ? 0 : room, "", cells[i],
			columns[i].left ? room : 0, "");
	}
	puts(end);
}

static bool same_device(const struct listed_sensor *a, const struct listed_sensor *b)
{
	return strcmp(text_or_empty(a->sensor.device), text_or_empty(b->sensor.device)) == 0;
}

static void put_device(const struct listed_sensor *listed)
{
	const struct power_sensor *sensor = &listed->sensor;
	const char *const parts[][2] = {
		{"", text_or_empty(sensor->device_name)},
		{"", text_or_empty(sensor->device)},
		{"", text_or_empty(sensor->pci)},
		{"driver ", text_or_empty(sensor->driver)},
	};
	bool first = true;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		char plain[256];

		if (!*parts[i][1] || (i && strcmp(parts[i][1], parts[i - 1][1]) == 0))
			continue;
		put_plain(plain, sizeof(plain), parts[i][1]);
		printf("%s%s%s", first ? "" : ", ", parts[i][0], plain);
		first = false;
	}
	putchar('\n');
}

static void put_sensor(
	const struct listed_sensor *listed, const row cells, const int widths[COLUMNS])
{
	char end[128] = "";

	if (listed->sensor.problem)
		snprintf(end, sizeof(end), "  cannot be read");
	else if (listed->calibrated)
		snprintf(end, sizeof(end), "  calibrated %s", listed->response.calibrated);
	put_row(cells, widths, end);
}

static void put_sensors(const struct listing *listing)
{
	row *rows = calloc(listing->count + 1, sizeof(*rows));
	int widths[COLUMNS];

	if (!rows)
		return;
	for (int i = 0; i < COLUMNS; i++) {
		strcpy(rows[listing->count][i], columns[i].title);
		widths[i] = width_of(columns[i].title);
	}
	for (size_t k = 0; k < listing->count; k++) {
		fill_row(rows[k], &listing->list[k]);
		for (int i = 0; i < COLUMNS; i++)
			if (width_of(rows[k][i]) > widths[i])
				widths[i] = width_of(rows[k][i]);
	}
	for (size_t k = 0; k < listing->count; k++) {
		size_t first = 0;

		while (!same_device(&listing->list[first], &listing->list[k]))
			first++;
		if (first < k)
			continue;
		put_device(&listing->list[k]);
		put_row(rows[listing->count], widths, "");
		for (size_t i = k; i < listing->count; i++)
			if (same_device(&listing->list[i], &listing->list[k]))
				put_sensor(&listing->list[i], rows[i], widths);
		putchar('\n');
	}
	free(rows);
}

static void put_note(void *data, const char *source, const char *why)
{
	bool *any = data;

	if (!*any)
		puts("Problems");
	*any = true;
	printf("  %s: %s\n", source, why);
}

static void put_problems(const struct listing *listing)
{
	bool any = false;

	listing_each_note(listing, put_note, &any);
	for (size_t i = 0; i < listing->count; i++) {
		const struct listed_sensor *listed = &listing->list[i];
		char name[256];

		if (!listed->sensor.problem)
			continue;
		snprintf(name, sizeof(name), "%s, %s", listed->source->name, listed->sensor.domain);
		put_note(&any, name, listed->sensor.problem);
	}
}

void listing_put_text(const struct listing *listing)
{
	put_sensors(listing);
	put_problems(listing);
}
