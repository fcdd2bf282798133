/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/curves.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/print/message.h"

enum column { NAME, TIME, ENERGY, COLUMNS };

static const char *const headings[COLUMNS] = {"name", "time_s", "energy_j"};

#define FIELD_NONE G_MAXUINT

struct table {
	const char *path;
	struct energy_curves *curves;
	guint field_of[COLUMNS]; /* FIELD_NONE: the headings have not been read */
	unsigned line;
};

static void free_points(gpointer points)
{
	g_array_free(points, TRUE);
}

/* Cuts the first field off a line, as in RFC 4180: one in quotes may hold commas, and quotes twice.
 * Sets *rest to the others, or to NULL behind the last. */
static char *take_field(char **rest)
{
	char *field = *rest, *to = field;
	bool quoted = *field == '"';
	const char *from = field + quoted;
	bool more;

	while (*from && !(quoted ? *from == '"' && from[1] != '"' : *from == ',')) {
		from += quoted && *from == '"';
		*to++ = *from++;
	}
	from += quoted && *from == '"';
	more = *from == ',';
	*rest = more ? field + (from + 1 - field) : NULL;
	*to = '\0';
	return field;
}

/* Returns false after an error message. */
static bool take_headings(struct table *table, GPtrArray *fields)
{
	for (guint column = 0; column < COLUMNS; column++) {
		if (!g_ptr_array_find_with_equal_func(
			    fields, headings[column], g_str_equal, &table->field_of[column])) {
			message_error("%s has no column %s; its first line must name the columns "
				      "name, time_s and energy_j",
				table->path, headings[column]);
			return false;
		}
	}
	return true;
}

/* NaN where the text is no number above zero. */
static double number_of(const char *text)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	return end != text && !*end && number > 0 && isfinite(number) ? number : NAN;
}

static void add_point(
	struct energy_curves *curves, const char *name, const struct curve_point *point)
{
	GArray *points = g_hash_table_lookup(curves->by_name, name);

	if (!points) {
		points = g_array_new(FALSE, FALSE, sizeof(struct curve_point));
		g_hash_table_insert(curves->by_name, g_strdup(name), points);
	}
	g_array_append_vals(points, point, 1);
}

/* Returns false after an error message. */
static bool take_point(struct table *table, const GPtrArray *fields)
{
	const char *text[COLUMNS];
	struct curve_point point;

	for (guint column = 0; column < COLUMNS; column++)
		text[column] = table->field_of[column] < fields->len
				       ? g_ptr_array_index(fields, table->field_of[column])
				       : "";
	point = (struct curve_point){number_of(text[TIME]), number_of(text[ENERGY])};
	if (!*text[NAME] || isnan(point.time_s) || isnan(point.energy_j)) {
		message_error("%s, line %u: not a name with a time in seconds and an energy in "
			      "joules, both above 0",
			table->path, table->line);
		return false;
	}
	add_point(table->curves, text[NAME], &point);
	return true;
}

/* Returns false after an error message. */
static bool take_line(struct table *table, char *line)
{
	GPtrArray *fields = g_ptr_array_new();
	char *rest = line;
	bool fine;

	line[strcspn(line, "\r\n")] = '\0';
	while (rest)
		g_ptr_array_add(fields, take_field(&rest));
	fine = !*line || (table->field_of[NAME] == FIELD_NONE ? take_headings(table, fields)
							      : take_point(table, fields));
	g_ptr_array_free(fields, TRUE);
	return fine;
}

struct energy_curves *energy_curves_read(const char *path)
{
	struct energy_curves *curves;
	struct table table = {.path = path, .field_of[NAME] = FIELD_NONE};
	FILE *file = fopen(path, "re");
	size_t room = 0;
	char *line = NULL;
	bool fine = true;

	if (!file) {
		message_error("cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	curves = table.curves = g_new(struct energy_curves, 1);
	curves->path = g_strdup(path);
	curves->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_points);
	while (fine && getline(&line, &room, file) >= 0) {
		table.line++;
		fine = take_line(&table, line);
	}
	if (fine && ferror(file)) {
		message_error("cannot read %s: %s", path, strerror(errno));
		fine = false;
	} else if (fine && !g_hash_table_size(curves->by_name)) {
		message_error("%s has no curves", path);
		fine = false;
	}
	free(line);
	fclose(file);
	if (fine)
		return curves;
	energy_curves_free(curves);
	return NULL;
}

void energy_curves_free(struct energy_curves *curves)
{
	if (!curves)
		return;
	g_hash_table_destroy(curves->by_name);
	g_free(curves->path);
	g_free(curves);
}

const GArray *energy_curves_find(const struct energy_curves *curves, const char *name)
{
	return g_hash_table_lookup(curves->by_name, name);
}
