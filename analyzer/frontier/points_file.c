/* SPDX-License-Identifier: MIT */
#include "analyzer/frontier/points_file.h"

#include <math.h>
#include <string.h>

#include "analyzer/print/message.h"

enum member { NAME, TIME, ENERGY, TIME_CI95, ENERGY_CI95, MEMBERS };
static const char *const headings[MEMBERS] = {"name", "time_s", "energy_j", "ci95_s", "ci95_j"};
#define NEEDED TIME_CI95 /* those before this one */

/* ---- records ---- */

/* Takes a field off *at, which ends before a comma or at the end of the line. */
static char *take_field(const char **at)
{
	GString *field = g_string_new(NULL);
	bool quoted = **at == '"';

	for (*at += quoted; **at; (*at)++) {
		if (quoted && **at == '"') {
			if ((*at)[1] != '"') {
				quoted = false;
				continue;
			}
			(*at)++;
		} else if (!quoted && strchr(",\r\n", **at)) {
			break;
		}
		g_string_append_c(field, **at);
	}
	return g_string_free(field, FALSE);
}

/* Takes the fields (char *) of a line off *at, with its end.  The caller frees them. */
static GPtrArray *take_record(const char **at)
{
	GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);

	for (;;) {
		g_ptr_array_add(fields, take_field(at));
		if (**at != ',')
			break;
		(*at)++;
	}
	*at += strspn(*at, "\r");
	*at += **at == '\n';
	return fields;
}

/* ---- points ---- */

struct points_file {
	const char *path;
	bool all_known;        /* all energies must be */
	guint column[MEMBERS]; /* of each member; G_MAXUINT: the file has none */
	GArray *points;
};

static bool take_headings(struct points_file *file, const GPtrArray *fields)
{
	for (enum member member = 0; member < MEMBERS; member++) {
		if (g_ptr_array_find_with_equal_func((GPtrArray *)fields, headings[member],
			    g_str_equal, &file->column[member]))
			continue;
		file->column[member] = G_MAXUINT;
		if (member < NEEDED) {
			message_error("%s: its first line has no heading %s; it needs name, time_s "
				      "and energy_j",
				file->path, headings[member]);
			return false;
		}
	}
	return true;
}

static const char *field_of(
	const struct points_file *file, const GPtrArray *fields, enum member member)
{
	guint column = file->column[member];

	return column < fields->len ? g_ptr_array_index(fields, column) : "";
}

static double number_of(const struct points_file *file, const GPtrArray *fields, enum member member)
{
	const char *text = field_of(file, fields, member);
	char *end;
	double number = g_ascii_strtod(text, &end);

	return *text && !*end && isfinite(number) && number >= 0 ? number : NAN;
}

/* Takes a point off a line.  Returns false after an error message. */
static bool take_point(struct points_file *file, const GPtrArray *fields, guint line)
{
	struct frontier_point point = {.time_s = number_of(file, fields, TIME),
		.energy_j = number_of(file, fields, ENERGY),
		.ci95_s = number_of(file, fields, TIME_CI95),
		.ci95_j = number_of(file, fields, ENERGY_CI95)};
	bool unknown = !file->all_known && !*field_of(file, fields, ENERGY);

	if (!(point.time_s > 0) || (isnan(point.energy_j) && !unknown)) {
		message_error("%s, line %u: \"%s\" needs a time_s above 0 and an energy_j",
			file->path, line, field_of(file, fields, NAME));
		return false;
	}
	frontier_add(file->points, &point, "", "", field_of(file, fields, NAME));
	return true;
}

static bool take_all(struct points_file *file, const char *at)
{
	bool headed = false, fine = true;
	guint line = 1;

	while (fine && (*at || !headed)) {
		const char *begin = at;
		GPtrArray *fields = take_record(&at);
		bool empty = fields->len == 1 && !*(char *)g_ptr_array_index(fields, 0);

		if (!headed)
			fine = take_headings(file, fields);
		else if (!empty)
			fine = take_point(file, fields, line);
		headed = true;
		for (; begin < at; begin++) /* a name may have several */
			line += *begin == '\n';
		g_ptr_array_free(fields, TRUE);
	}
	if (fine && !file->points->len) {
		message_error("%s has no points", file->path);
		fine = false;
	}
	return fine;
}

GArray *points_file_read(const char *path, bool all_known)
{
	struct points_file file = {
		.path = path, .all_known = all_known, .points = frontier_points_new()};
	GError *error = NULL;
	char *text;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		message_error("the points cannot be read: %s", error->message);
		g_error_free(error);
		g_array_unref(file.points);
		return NULL;
	}
	if (!take_all(&file, text))
		g_clear_pointer(&file.points, g_array_unref);
	g_free(text);
	return file.points;
}
