/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/curves.h"

#include "analyzer/frontier/points_file.h"
#include "analyzer/print/message.h"

static void free_points(gpointer points)
{
	g_array_free(points, TRUE);
}

/* The points of a name, which there may be none of yet. */
static GArray *points_of(struct energy_curves *curves, const char *name)
{
	GArray *points = g_hash_table_lookup(curves->by_name, name);

	if (!points) {
		points = g_array_new(FALSE, FALSE, sizeof(struct curve_point));
		g_hash_table_insert(curves->by_name, g_strdup(name), points);
	}
	return points;
}

/* Takes points of a file (struct frontier_point).  Returns how many of them have no energy above 0,
 * and are left out. */
static guint take_points(struct energy_curves *curves, const GArray *points)
{
	guint left_out = 0;

	for (guint i = 0; i < points->len; i++) {
		const struct frontier_point *from = frontier_at(points, i);
		struct curve_point point = {from->time_s, from->energy_j};
		GArray *own = points_of(curves, from->name);

		if (point.energy_j > 0)
			g_array_append_val(own, point);
		else
			left_out++;
	}
	return left_out;
}

struct energy_curves *energy_curves_read(const char *path)
{
	GArray *points = points_file_read(path, false);
	struct energy_curves *curves;
	guint left_out;

	if (!points)
		return NULL;
	curves = g_new(struct energy_curves, 1);
	curves->path = g_strdup(path);
	curves->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_points);
	left_out = take_points(curves, points);
	if (left_out == points->len) {
		message_error("%s has no point with an energy above 0", path);
		g_clear_pointer(&curves, energy_curves_free);
	} else if (left_out) {
		message_warn("%s: points without an energy above 0 are left out (%u of %u), and a "
			     "kernel without others is taken to need what it does now",
			path, left_out, points->len);
	}
	g_array_unref(points);
	return curves;
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
