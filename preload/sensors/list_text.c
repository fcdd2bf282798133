/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "preload/common/plain.h"
#include "preload/sensors/listing.h"

#define CELL_MAX 64

typedef char table_row[LISTING_COLUMNS_MAX][CELL_MAX];

struct listing_table {
	table_row *rows; /* of each sensor */
	table_row titles;
	size_t columns;
	bool left[LISTING_COLUMNS_MAX]; /* a column of texts */
	int widths[LISTING_COLUMNS_MAX];
};

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
static void put_cell(char cell[CELL_MAX], const struct listing_column *column)
{
	if (column->text)
		plain_copy(cell, CELL_MAX, column->text);
	else if (!column->applies)
		strcpy(cell, "-");
	else if (isnan(column->number))
		strcpy(cell, "unknown");
	else
		put_scaled(cell, column->number * 1e9, column->unit);
}

/* "µ" is two bytes and one column. */
static int width_of(const char *cell)
{
	int width = 0;

	for (; *cell; cell++)
		width += ((unsigned char)*cell & 0xc0) != 0x80;
	return width;
}

static void set_cell(
	struct listing_table *table, size_t row, size_t column, const struct listing_column *value)
{
	char *cell = table->rows[row][column];
	int width;

	put_cell(cell, value);
	strcpy(table->titles[column], value->title);
	table->left[column] = value->text != NULL;
	width = MAX(width_of(cell), width_of(value->title));
	table->widths[column] = MAX(table->widths[column], width);
}

static void fill_row(struct listing_table *table, size_t row, const struct listed_sensor *listed)
{
	struct listing_column values[LISTING_COLUMNS_MAX];
	size_t count = listing_columns(listed, values), columns = 0;

	for (size_t i = 0; i < count; i++) {
		const struct listing_column *value = &values[i];
		bool again = columns && value->title &&
			     strcmp(value->title, table->titles[columns - 1]) == 0;

		if (!value->title || (again && !value->applies))
			continue;
		columns += !again;
		set_cell(table, row, columns - 1, value);
	}
	table->columns = columns;
}

static void put_row(const struct listing_table *table, const table_row row, const char *end)
{
	for (size_t i = 0; i < table->columns; i++) {
		int room = table->widths[i] - width_of(row[i]);

		printf("  %*s%s%*s", table->left[i] ? 0 : room, "", row[i],
			table->left[i] ? room : 0, "");
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
		plain_copy(plain, sizeof(plain), parts[i][1]);
		printf("%s%s%s", first ? "" : ", ", parts[i][0], plain);
		first = false;
	}
	putchar('\n');
}

static void put_sensor(
	const struct listing_table *table, const table_row row, const struct listed_sensor *listed)
{
	char end[128] = "";

	if (listed->sensor.problem)
		snprintf(end, sizeof(end), "  cannot be read");
	else if (listed->calibrated)
		snprintf(end, sizeof(end), "  calibrated %s", listed->response.calibrated);
	put_row(table, row, end);
}

static void put_sensors(const struct listing *listing)
{
	table_row *rows = calloc(listing->count + 1, sizeof(*rows));
	struct listing_table table = {.rows = rows};

	for (size_t k = 0; rows && k < listing->count; k++)
		fill_row(&table, k, &listing->list[k]);
	for (size_t k = 0; rows && k < listing->count; k++) {
		size_t first = 0;

		while (!same_device(&listing->list[first], &listing->list[k]))
			first++;
		if (first < k)
			continue;
		put_device(&listing->list[k]);
		put_row(&table, table.titles, "");
		for (size_t i = k; i < listing->count; i++)
			if (same_device(&listing->list[i], &listing->list[k]))
				put_sensor(&table, rows[i], &listing->list[i]);
		putchar('\n');
	}
	free(rows);
}

static void put_note(void *data, const char *source, const char *why)
{
	bool *any = data;
	char text[POWER_WHY_MAX + 256], plain[sizeof(text)];

	if (!*any)
		puts("Problems");
	*any = true;
	snprintf(text, sizeof(text), "%s: %s", source, why);
	plain_copy(plain, sizeof(plain), text);
	printf("  %s\n", plain);
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
