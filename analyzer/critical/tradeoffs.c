/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/tradeoffs.h"

#include "analyzer/frontier/points_file.h"
#include "analyzer/print/message.h"

static void free_points(gpointer points)
{
	g_array_free(points, TRUE);
}

/* The points of a name, which there may be none of yet. */
static GArray *points_of(struct tradeoffs *tradeoffs, const char *name)
{
	GArray *points = g_hash_table_lookup(tradeoffs->by_name, name);

	if (!points) {
		points = g_array_new(FALSE, FALSE, sizeof(struct tradeoff_point));
		g_hash_table_insert(tradeoffs->by_name, g_strdup(name), points);
	}
	return points;
}

/* Takes points of a file (struct frontier_point).  Returns how many of them have no energy above 0,
 * and are left out. */
static guint take_points(struct tradeoffs *tradeoffs, const GArray *points)
{
	guint left_out = 0;

	for (guint i = 0; i < points->len; i++) {
		const struct frontier_point *from = frontier_at(points, i);
		struct tradeoff_point point = {from->time_s, from->energy_j};
		GArray *own = points_of(tradeoffs, from->name);

		if (point.energy_j > 0)
			g_array_append_val(own, point);
		else
			left_out++;
	}
	return left_out;
}

struct tradeoffs *tradeoffs_read(const char *path)
{
	GArray *points = points_file_read(path, false);
	struct tradeoffs *tradeoffs;
	guint left_out;

	if (!points)
		return NULL;
	tradeoffs = g_new(struct tradeoffs, 1);
	tradeoffs->path = g_strdup(path);
	tradeoffs->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_points);
	left_out = take_points(tradeoffs, points);
	if (left_out == points->len) {
		message_error("%s has no point with an energy above 0", path);
		g_clear_pointer(&tradeoffs, tradeoffs_free);
	} else if (left_out) {
		message_warn("%s: points without an energy above 0 are left out (%u of %u), and a "
			     "kernel without others is taken to need what it does now",
			path, left_out, points->len);
	}
	g_array_unref(points);
	return tradeoffs;
}

void tradeoffs_free(struct tradeoffs *tradeoffs)
{
	if (!tradeoffs)
		return;
	g_hash_table_destroy(tradeoffs->by_name);
	g_free(tradeoffs->path);
	g_free(tradeoffs);
}

const GArray *tradeoffs_find(const struct tradeoffs *tradeoffs, const char *name)
{
	return g_hash_table_lookup(tradeoffs->by_name, name);
}
