/* SPDX-License-Identifier: MIT */
#include "preload/power/external/recorded_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int recorded_refuse(const struct recorded_lines *lines, const char *format, ...)
{
	int used = snprintf(lines->why, lines->size, "%s:%u: ", lines->path, lines->line);
	va_list args;

	va_start(args, format);
	if (used >= 0 && (size_t)used < lines->size)
		vsnprintf(lines->why + used, lines->size - used, format, args);
	va_end(args);
	return -1;
}

char *recorded_take_field(char **text)
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

struct recorded_series *recorded_series_of(struct recorded_file *file, const char *device,
	const char *domain, const char *part_of, const char *quantity)
{
	struct recorded_series *grown;

	for (size_t i = 0; i < file->count; i++)
		if (strcmp(file->series[i].device, device) == 0 &&
			strcmp(file->series[i].domain, domain) == 0 &&
			strcmp(file->series[i].quantity, quantity) == 0)
			return &file->series[i];
	grown = realloc(file->series, (file->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	file->series = grown;
	grown += file->count++;
	*grown = (struct recorded_series){.device = strdup(device),
		.domain = strdup(domain),
		.part_of = part_of,
		.quantity = quantity};
	return grown->device && grown->domain ? grown : NULL;
}

int recorded_append(
	const struct recorded_lines *lines, struct recorded_series *series, struct recorded_row row)
{
	if (!series->rows || series->count == series->capacity) {
		size_t capacity = series->capacity ? 2 * series->capacity : 256;
		struct recorded_row *rows = reallocarray(series->rows, capacity, sizeof(*rows));

		if (!rows)
			return recorded_refuse(lines, "out of memory");
		series->rows = rows;
		series->capacity = capacity;
	}
	series->rows[series->count++] = row;
	return 0;
}

void recorded_file_free(struct recorded_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		free(file->series[i].device);
		free(file->series[i].domain);
		free(file->series[i].rows);
	}
	free(file->series);
	*file = (struct recorded_file){0};
}
