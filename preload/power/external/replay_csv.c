/* SPDX-License-Identifier: MIT */
#include "preload/power/external/replay_csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/power/external/replay_lines.h"
#include "pwrtrace/units.h"

#define COLUMNS 4

int replay_refuse(const struct replay_lines *lines, const char *format, ...)
{
	int used = snprintf(lines->why, lines->size, "%s:%u: ", lines->path, lines->line);
	va_list args;

	va_start(args, format);
	if (used >= 0 && (size_t)used < lines->size)
		vsnprintf(lines->why + used, lines->size - used, format, args);
	va_end(args);
	return -1;
}

char *replay_take_field(char **text)
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

static int split(const struct replay_lines *lines, char *line, char *fields[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++) {
		if (!line) {
			replay_refuse(lines, "%d fields where %d are expected", i, COLUMNS);
			return -1;
		}
		fields[i] = replay_take_field(&line);
		if (!fields[i]) {
			replay_refuse(lines, "a quoted field does not end where it should");
			return -1;
		}
	}
	if (line)
		replay_refuse(lines, "more than the %d fields that are expected", COLUMNS);
	return line ? -1 : 0;
}

static int parse_number(
	const struct replay_lines *lines, const char *column, const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || *value == PWRTRACE_UNKNOWN_U64)
		return replay_refuse(lines, "%s is \"%s\", not a whole number", column, text);
	return 0;
}

/* Our own format's last column says what it holds. */
static const char *quantity_of(char *const fields[COLUMNS])
{
	static const char *const expected[] = {"time_ns", "device", "domain"};

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (strcmp(fields[i], expected[i]) != 0)
			return NULL;
	return strcmp(fields[3], "power_mw") == 0    ? "power"
	       : strcmp(fields[3], "energy_uj") == 0 ? "energy"
						     : NULL;
}

struct replay_series *replay_series_of(struct replay_csv *csv, const char *device,
	const char *domain, const char *part_of, const char *quantity)
{
	struct replay_series *grown;

	for (size_t i = 0; i < csv->count; i++)
		if (strcmp(csv->series[i].device, device) == 0 &&
			strcmp(csv->series[i].domain, domain) == 0 &&
			strcmp(csv->series[i].quantity, quantity) == 0)
			return &csv->series[i];
	grown = realloc(csv->series, (csv->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	csv->series = grown;
	grown += csv->count++;
	*grown = (struct replay_series){.device = strdup(device),
		.domain = strdup(domain),
		.part_of = part_of,
		.quantity = quantity};
	return grown->device && grown->domain ? grown : NULL;
}

int replay_append(
	const struct replay_lines *lines, struct replay_series *series, struct replay_row row)
{
	if (!series->rows || series->count == series->capacity) {
		size_t capacity = series->capacity ? 2 * series->capacity : 256;
		struct replay_row *rows = reallocarray(series->rows, capacity, sizeof(*rows));

		if (!rows)
			return replay_refuse(lines, "out of memory");
		series->rows = rows;
		series->capacity = capacity;
	}
	series->rows[series->count++] = row;
	return 0;
}

static int read_row(const struct replay_lines *lines, const char *quantity, char *line)
{
	const struct replay_row *last;
	struct replay_series *series;
	struct replay_row row;
	char *fields[COLUMNS];
	bool energy = strcmp(quantity, "energy") == 0;

	if (split(lines, line, fields) || parse_number(lines, "time_ns", fields[0], &row.time_ns) ||
		parse_number(lines, energy ? "energy_uj" : "power_mw", fields[3], &row.value))
		return -1;
	if (!*fields[1] || !*fields[2])
		return replay_refuse(lines, "device or domain is empty");
	series = replay_series_of(lines->csv, fields[1], fields[2], "", quantity);
	if (!series)
		return replay_refuse(lines, "out of memory");
	last = series->count ? &series->rows[series->count - 1] : NULL;
	if (last && row.time_ns <= last->time_ns)
		return replay_refuse(lines, "time_ns does not rise within its device and domain");
	if (last && energy && row.value < last->value)
		return replay_refuse(lines, "energy_uj falls within its device and domain");
	return replay_append(lines, series, row);
}

static bool is_smi(const char *header)
{
	static const char first[] = "timestamp";

	return strncmp(header, first, sizeof(first) - 1) == 0;
}

static int read_header(
	const struct replay_lines *lines, char *line, struct replay_smi *smi, const char **quantity)
{
	char *fields[COLUMNS];

	*quantity = NULL;
	if (is_smi(line))
		return replay_smi_begin(smi, lines, line);
	if (split(lines, line, fields))
		return -1;
	*quantity = quantity_of(fields);
	return *quantity ? 0
			 : replay_refuse(lines, "the header must be time_ns,device,domain,power_mw "
						"or time_ns,device,domain,energy_uj, or be "
						"nvidia-smi's and begin with timestamp");
}

static int read_lines(struct replay_lines *lines, FILE *file)
{
	struct replay_smi smi = {0};
	const char *quantity = NULL;
	size_t capacity = 0;
	char *line = NULL;
	int result = 0;

	while (result == 0 && getline(&line, &capacity, file) >= 0) {
		lines->line++;
		line[strcspn(line, "\r\n")] = 0;
		if (lines->line == 1)
			result = read_header(lines, line, &smi, &quantity);
		else if (*line)
			result = quantity ? read_row(lines, quantity, line)
					  : replay_smi_row(&smi, lines, line);
	}
	free(line);
	if (result == 0 && ferror(file))
		result = replay_refuse(lines, "%s", strerror(errno));
	if (result == 0 && !lines->csv->count)
		result = replay_refuse(lines, "no rows");
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
	struct replay_lines lines = {.csv = csv, .path = path, .why = why, .size = size};
	FILE *file = fopen(path, "re");
	int result;

	*csv = (struct replay_csv){0};
	if (!file) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	result = read_lines(&lines, file);
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
