/* SPDX-License-Identifier: MIT */
#include "preload/power/replay_csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pwrtrace/units.h"

#define COLUMNS 4

struct reader {
	struct replay_csv *csv;
	const char *path;
	unsigned line;
	char *why;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static int refuse(
	const struct reader *reader, const char *format, ...)
{
	int used = snprintf(reader->why, reader->size, "%s:%u: ", reader->path, reader->line);
	va_list args;

	va_start(args, format);
	if (used >= 0 && (size_t)used < reader->size)
		vsnprintf(reader->why + used, reader->size - used, format, args);
	va_end(args);
	return -1;
}

/* Takes one field off *text in place, quotes removed.  Returns NULL for a quote left open. */
static char *take_field(char **text)
{
	char *field = *text;
	char *from = field;
	char *to = field;

	if (*from != '"') {
		*text += strcspn(field, ",");
		if (**text)
			*(*text)++ = 0;
		else
			*text = NULL;
		return field;
	}
	for (from++; *from; from++) {
		if (*from == '"' && from[1] != '"')
			break;
		if (*from == '"')
			from++;
		*to++ = *from;
	}
	if (*from != '"' || (from[1] && from[1] != ','))
		return NULL;
	*to = 0;
	*text = from[1] ? from + 2 : NULL;
	return field;
}

static int split(const struct reader *reader, char *line, char *fields[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++) {
		if (!line) {
			refuse(reader, "%d fields where %d are expected", i, COLUMNS);
			return -1;
		}
		fields[i] = take_field(&line);
		if (!fields[i]) {
			refuse(reader, "a quoted field does not end where it should");
			return -1;
		}
	}
	if (line)
		refuse(reader, "more than the %d fields that are expected", COLUMNS);
	return line ? -1 : 0;
}

static int parse_number(
	const struct reader *reader, const char *column, const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || *value == PWRTRACE_UNKNOWN_U64)
		return refuse(reader, "%s is \"%s\", not a whole number", column, text);
	return 0;
}

static int read_header(struct reader *reader, char *line)
{
	static const char *const expected[] = {"time_ns", "device", "domain"};
	char *fields[COLUMNS] = {NULL};
	bool matches;

	if (split(reader, line, fields))
		return -1;
	matches = strcmp(fields[3], "power_mw") == 0 || strcmp(fields[3], "energy_uj") == 0;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		matches = matches && strcmp(fields[i], expected[i]) == 0;
	if (!matches)
		return refuse(reader, "the header must be time_ns,device,domain,power_mw or "
				      "time_ns,device,domain,energy_uj");
	reader->csv->is_energy = strcmp(fields[3], "energy_uj") == 0;
	return 0;
}

static struct replay_series *find_series(
	struct replay_csv *csv, const char *device, const char *domain)
{
	struct replay_series *grown;

	for (size_t i = 0; i < csv->count; i++)
		if (strcmp(csv->series[i].device, device) == 0 &&
			strcmp(csv->series[i].domain, domain) == 0)
			return &csv->series[i];
	grown = realloc(csv->series, (csv->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	csv->series = grown;
	grown += csv->count++;
	*grown = (struct replay_series){.device = strdup(device), .domain = strdup(domain)};
	return grown->device && grown->domain ? grown : NULL;
}

static int add_row(const struct reader *reader, struct replay_series *series, struct replay_row row)
{
	const struct replay_row *last =
		series->rows && series->count ? &series->rows[series->count - 1] : NULL;

	if (last && row.time_ns <= last->time_ns)
		return refuse(reader, "time_ns does not rise within its device and domain");
	if (last && reader->csv->is_energy && row.value < last->value)
		return refuse(reader, "energy_uj falls within its device and domain");
	if (!series->rows || series->count == series->capacity) {
		size_t capacity = series->capacity ? 2 * series->capacity : 256;
		struct replay_row *rows = reallocarray(series->rows, capacity, sizeof(*rows));

		if (!rows)
			return refuse(reader, "out of memory");
		series->rows = rows;
		series->capacity = capacity;
	}
	series->rows[series->count++] = row;
	return 0;
}

static int read_row(const struct reader *reader, char *line)
{
	struct replay_series *series;
	struct replay_row row;
	char *fields[COLUMNS] = {NULL};

	if (split(reader, line, fields) ||
		parse_number(reader, "time_ns", fields[0], &row.time_ns) ||
		parse_number(reader, reader->csv->is_energy ? "energy_uj" : "power_mw", fields[3],
			&row.value))
		return -1;
	if (!*fields[1] || !*fields[2])
		return refuse(reader, "device or domain is empty");
	series = find_series(reader->csv, fields[1], fields[2]);
	if (!series)
		return refuse(reader, "out of memory");
	return add_row(reader, series, row);
}

static int read_lines(struct reader *reader, FILE *file)
{
	size_t capacity = 0;
	char *line = NULL;
	int result = 0;

	while (result == 0 && getline(&line, &capacity, file) >= 0) {
		reader->line++;
		line[strcspn(line, "\r\n")] = 0;
		if (reader->line == 1)
			result = read_header(reader, line);
		else if (*line)
			result = read_row(reader, line);
	}
	free(line);
	if (result == 0 && ferror(file))
		result = refuse(reader, "%s", strerror(errno));
	if (result == 0 && !reader->csv->count)
		result = refuse(reader, "no rows");
	return result;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* The median: a hole in the series must not look like its usual step. */
static uint64_t usual_step_ns(const struct replay_series *series)
{
	uint64_t *steps = reallocarray(NULL, series->count, sizeof(*steps));
	uint64_t median = PWRTRACE_UNKNOWN_U64;

	if (steps && series->count > 1) {
		for (size_t i = 1; i < series->count; i++)
			steps[i - 1] = series->rows[i].time_ns - series->rows[i - 1].time_ns;
		qsort(steps, series->count - 1, sizeof(*steps), compare_u64);
		median = steps[(series->count - 1) / 2];
	}
	free(steps);
	return median;
}

int replay_csv_read(struct replay_csv *csv, const char *path, char *why, size_t size)
{
	struct reader reader = {.csv = csv, .path = path, .why = why, .size = size};
	FILE *file = fopen(path, "re");
	int result;

	*csv = (struct replay_csv){0};
	if (!file) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	result = read_lines(&reader, file);
	fclose(file);
	if (result) {
		replay_csv_free(csv);
		return result;
	}
	for (size_t i = 0; i < csv->count; i++)
		csv->series[i].period_ns = usual_step_ns(&csv->series[i]);
	return 0;
}

void replay_csv_free(struct replay_csv *csv)
{
	for (size_t i = 0; i < csv->count; i++) {
		free(csv->series[i].device);
		free(csv->series[i].domain);
		free(csv->series[i].rows);
	}
	free(csv->series);
	*csv = (struct replay_csv){0};
}
