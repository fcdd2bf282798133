/* SPDX-License-Identifier: MIT */
#include "preload/power/external/recorded_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/power/external/recorded_smi.h"
#include "pwrtrace/units.h"

#define COLUMNS 4
#define GPUS_MAX 16
#define BURSTS_LEAST 8 /* fewer steps of one kind may be long by chance */

static int split(const struct recorded_lines *lines, char *line, char *fields[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++) {
		if (!line) {
			recorded_refuse(lines, "%d fields where %d are expected", i, COLUMNS);
			return -1;
		}
		fields[i] = recorded_take_field(&line);
		if (!fields[i]) {
			recorded_refuse(lines, "a quoted field does not end where it should");
			return -1;
		}
	}
	if (line)
		recorded_refuse(lines, "more than the %d fields that are expected", COLUMNS);
	return line ? -1 : 0;
}

static int parse_number(
	const struct recorded_lines *lines, const char *column, const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || *value == PWRTRACE_UNKNOWN_U64)
		return recorded_refuse(lines, "%s is \"%s\", not a whole number", column, text);
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

static int read_row(const struct recorded_lines *lines, const char *quantity, char *line)
{
	const struct recorded_row *last;
	struct recorded_series *series;
	struct recorded_row row = {0};
	char *fields[COLUMNS];
	bool energy = strcmp(quantity, "energy") == 0;

	if (split(lines, line, fields) || parse_number(lines, "time_ns", fields[0], &row.time_ns) ||
		parse_number(lines, energy ? "energy_uj" : "power_mw", fields[3], &row.value))
		return -1;
	if (!*fields[1] || !*fields[2])
		return recorded_refuse(lines, "device or domain is empty");
	series = recorded_series_of(lines->file, fields[1], fields[2], "", quantity);
	if (!series)
		return recorded_refuse(lines, "out of memory");
	last = series->count ? &series->rows[series->count - 1] : NULL;
	if (last && row.time_ns <= last->time_ns)
		return recorded_refuse(lines, "time_ns does not rise within its device and domain");
	if (last && energy && row.value < last->value)
		return recorded_refuse(lines, "energy_uj falls within its device and domain");
	return recorded_append(lines, series, row);
}

static bool is_smi(const char *header)
{
	static const char first[] = "timestamp";

	return strncmp(header, first, sizeof(first) - 1) == 0;
}

static int read_header(const struct recorded_lines *lines, char *line, struct recorded_smi *smi,
	const char **quantity)
{
	char *fields[COLUMNS];

	*quantity = NULL;
	if (is_smi(line))
		return recorded_smi_begin(smi, lines, line);
	if (split(lines, line, fields))
		return -1;
	*quantity = quantity_of(fields);
	return *quantity
		       ? 0
		       : recorded_refuse(lines, "the header must be time_ns,device,domain,power_mw "
						"or time_ns,device,domain,energy_uj, or be "
						"nvidia-smi's and begin with timestamp");
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* The median of the steps from row `first` and from each every-th row behind it: a hole in the
 * series must not look like its usual step. */
static uint64_t usual_step_ns(const struct recorded_series *series, size_t first, size_t every)
{
	uint64_t *steps = reallocarray(NULL, series->count, sizeof(*steps));
	uint64_t median = PWRTRACE_UNKNOWN_U64;
	size_t count = 0;

	for (size_t i = first; steps && i + 1 < series->count; i += every)
		steps[count++] = series->rows[i + 1].time_ns - series->rows[i].time_ns;
	if (count) {
		qsort(steps, count, sizeof(*steps), compare_u64);
		median = steps[count / 2];
	}
	free(steps);
	return median;
}

/* Whether every gpus-th step is usually more than twice as long as each of those between. */
static bool comes_in_bursts(const struct recorded_series *series, size_t gpus)
{
	uint64_t longest_ns = 0, second_ns = 0;

	for (size_t i = 0; i < gpus; i++) {
		uint64_t step_ns = usual_step_ns(series, i, gpus);

		if (step_ns > longest_ns) {
			second_ns = longest_ns;
			longest_ns = step_ns;
		} else if (step_ns > second_ns) {
			second_ns = step_ns;
		}
	}
	return longest_ns > 2 * second_ns;
}

/* nvidia-smi writes a row for each GPU, one right after the other, and then waits. */
static int refuse_mixed(const struct recorded_lines *lines)
{
	const struct recorded_series *series = lines->file->series;

	for (size_t gpus = 2; gpus <= GPUS_MAX && series->count > gpus * BURSTS_LEAST; gpus++)
		if (comes_in_bursts(series, gpus))
			return recorded_refuse(lines,
				"rows come in bursts of %zu, as those of so many GPUs do; ask "
				"nvidia-smi for index as well",
				gpus);
	return 0;
}

static int read_lines(struct recorded_lines *lines, FILE *stream)
{
	struct recorded_smi smi = {0};
	const char *quantity = NULL;
	size_t capacity = 0;
	char *line = NULL;
	int result = 0;

	while (result == 0 && getline(&line, &capacity, stream) >= 0) {
		lines->line++;
		line[strcspn(line, "\r\n")] = 0;
		if (lines->line == 1)
			result = read_header(lines, line, &smi, &quantity);
		else if (*line)
			result = quantity ? read_row(lines, quantity, line)
					  : recorded_smi_row(&smi, lines, line);
	}
	free(line);
	if (result == 0 && ferror(stream))
		result = recorded_refuse(lines, "%s", strerror(errno));
	if (result == 0 && !lines->file->count)
		result = recorded_refuse(lines, "no rows");
	if (result == 0 && !quantity && !smi.tells_apart)
		result = refuse_mixed(lines);
	return result;
}

int recorded_csv_read(struct recorded_file *file, const char *path, char *why, size_t size)
{
	struct recorded_lines lines = {.file = file, .path = path, .why = why, .size = size};
	FILE *stream = fopen(path, "re");
	int result;

	*file = (struct recorded_file){0};
	if (!stream) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	result = read_lines(&lines, stream);
	fclose(stream);
	if (result) {
		recorded_file_free(file);
		return result;
	}
	for (size_t i = 0; i < file->count; i++)
		file->series[i].period_ns = usual_step_ns(&file->series[i], 0, 1);
	return 0;
}
