/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/sensors/list.h"

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

static void fill_row(row cells, const struct entry *entry)
{
	const struct power_sensor *sensor = &entry->sensor;
	bool gauge = strcmp(sensor->quantity, "power") == 0;
	bool counter = strcmp(sensor->quantity, "energy") == 0;
	bool estimate = strcmp(sensor->quantity, "model") == 0;

	put_plain(cells[DOMAIN], CELL_MAX, sensor->domain);
	put_plain(cells[SOURCE], CELL_MAX, entry->source->name);
	put_plain(cells[KIND], CELL_MAX, entry_kind(entry));
	put_time(cells[PERIOD], !estimate, sensor->period_ns);
	put_time(cells[WINDOW], gauge, sensor->window_ns);
	put_time(cells[LAG], gauge || counter, sensor->lag_ns);
	put_resolution(cells[RESOLUTION], sensor, gauge || counter);
	put_time(cells[COST], entry->source->ops->read, entry->read_cost_ns);
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

static bool same_device(const struct entry *a, const struct entry *b)
{
	return strcmp(entry_text(a->sensor.device), entry_text(b->sensor.device)) == 0;
}

static void put_device(const struct entry *entry)
{
	const struct power_sensor *sensor = &entry->sensor;
	const char *const parts[][2] = {
		{"", entry_text(sensor->device_name)},
		{"", entry_text(sensor->device)},
		{"", entry_text(sensor->pci)},
		{"driver ", entry_text(sensor->driver)},
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

static void put_entry(const struct entry *entry, const row cells, const int widths[COLUMNS])
{
	char end[128] = "";

	if (entry->sensor.problem)
		snprintf(end, sizeof(end), "  cannot be read");
	else if (entry->calibrated)
		snprintf(end, sizeof(end), "  calibrated %s", entry->response.calibrated);
	put_row(cells, widths, end);
}

static void put_entries(const struct entries *entries)
{
	row *rows = calloc(entries->count + 1, sizeof(*rows));
	int widths[COLUMNS];

	if (!rows)
		return;
	for (int i = 0; i < COLUMNS; i++) {
		strcpy(rows[entries->count][i], columns[i].title);
		widths[i] = width_of(columns[i].title);
	}
	for (size_t k = 0; k < entries->count; k++) {
		fill_row(rows[k], &entries->list[k]);
		for (int i = 0; i < COLUMNS; i++)
			if (width_of(rows[k][i]) > widths[i])
				widths[i] = width_of(rows[k][i]);
	}
	for (size_t k = 0; k < entries->count; k++) {
		size_t first = 0;

		while (!same_device(&entries->list[first], &entries->list[k]))
			first++;
		if (first < k)
			continue;
		put_device(&entries->list[k]);
		put_row(rows[entries->count], widths, "");
		for (size_t i = k; i < entries->count; i++)
			if (same_device(&entries->list[i], &entries->list[k]))
				put_entry(&entries->list[i], rows[i], widths);
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

static void put_problems(const struct entries *entries)
{
	bool any = false;

	entries_each_note(entries, put_note, &any);
	for (size_t i = 0; i < entries->count; i++) {
		const struct entry *entry = &entries->list[i];
		char name[256];

		if (!entry->sensor.problem)
			continue;
		snprintf(name, sizeof(name), "%s, %s", entry->source->name, entry->sensor.domain);
		put_note(&any, name, entry->sensor.problem);
	}
}

void entries_put_text(const struct entries *entries)
{
	put_entries(entries);
	put_problems(entries);
}
