/* SPDX-License-Identifier: MIT */
#include "analyzer/frontier/frontier.h"

#include <math.h>
#include <string.h>

#include "analyzer/print/text.h"

static void clear_tag(void *data)
{
	struct frontier_tag *tag = data;

	g_free(tag->key);
	g_free(tag->value);
}

static void clear_point(void *data)
{
	struct frontier_point *point = data;

	g_free(point->group);
	g_free(point->name);
	g_free(point->label);
	g_array_unref(point->tags);
}

void frontier_add(GArray *points, const struct frontier_point *point, const char *group,
	const char *label, const char *name)
{
	struct frontier_point own = *point;

	own.group = g_strdup(group);
	own.label = g_strdup(label);
	own.name = text_valid(name);
	own.tags = g_array_new(FALSE, FALSE, sizeof(struct frontier_tag));
	g_array_set_clear_func(own.tags, clear_tag);
	g_array_append_val(points, own);
}

void frontier_add_tag(GArray *points, const char *key, const char *value)
{
	struct frontier_tag tag = {g_strdup(key), g_strdup(value)};

	g_array_append_val(frontier_at(points, points->len - 1)->tags, tag);
}

GArray *frontier_points_new(void)
{
	GArray *points = g_array_new(FALSE, TRUE, sizeof(struct frontier_point));

	g_array_set_clear_func(points, clear_point);
	return points;
}

/* ---- order ---- */

static int by_number(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_place(gconstpointer a, gconstpointer b, gpointer groups)
{
	const struct frontier_point *x = a, *y = b;
	guint group_x = GPOINTER_TO_UINT(g_hash_table_lookup(groups, x->group));
	guint group_y = GPOINTER_TO_UINT(g_hash_table_lookup(groups, y->group));

	if (group_x != group_y)
		return group_x < group_y ? -1 : 1;
	if (x->time_s != y->time_s)
		return by_number(x->time_s, y->time_s);
	if (x->energy_j != y->energy_j)
		return by_number(x->energy_j, y->energy_j);
	return strcmp(x->name, y->name);
}

static void sort(GArray *points)
{
	GHashTable *groups = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < points->len; i++)
		if (!g_hash_table_contains(groups, frontier_at(points, i)->group))
			g_hash_table_insert(
				groups, frontier_at(points, i)->group, GUINT_TO_POINTER(i));
	g_array_sort_with_data(points, by_place, groups);
	g_hash_table_destroy(groups);
}

guint frontier_group_end(const GArray *points, guint begin)
{
	guint end = begin + 1;

	while (end < points->len &&
		strcmp(frontier_at(points, end)->group, frontier_at(points, begin)->group) == 0)
		end++;
	return end;
}

const struct frontier_point *frontier_fastest(const GArray *points, guint begin)
{
	return frontier_at(points, begin);
}

/* ---- the frontier ---- */

/* How wide intervals are taken to be that are not known. */
struct unknown_widths {
	double s, j;
};

/* Where no interval is known, of one run of each or in a file of exact figures, there is nothing to
 * tell points apart by but the figures themselves. */
static struct unknown_widths widths_of(const GArray *points)
{
	struct unknown_widths widths = {0, 0};

	for (guint i = 0; i < points->len; i++) {
		if (!isnan(frontier_at(points, i)->ci95_s))
			widths.s = INFINITY;
		if (!isnan(frontier_at(points, i)->ci95_j))
			widths.j = INFINITY;
	}
	return widths;
}

static double margin(double a95, double b95, double unknown)
{
	return hypot(isnan(a95) ? unknown : a95, isnan(b95) ? unknown : b95);
}

static bool is_better(const struct frontier_point *a, const struct frontier_point *b)
{
	return a->time_s <= b->time_s && a->energy_j <= b->energy_j &&
	       (a->time_s < b->time_s || a->energy_j < b->energy_j);
}

/* Whether a takes no more of both than b, anywhere within the intervals (sign 1), or at least
 * somewhere (sign -1). */
static bool is_better_within(const struct frontier_point *a, const struct frontier_point *b,
	const struct unknown_widths *unknown, int sign)
{
	return a->time_s + sign * margin(a->ci95_s, b->ci95_s, unknown->s) <= b->time_s &&
	       a->energy_j + sign * margin(a->ci95_j, b->ci95_j, unknown->j) <= b->energy_j;
}

static bool is_same(const struct frontier_point *a, const struct frontier_point *b)
{
	return a->time_s == b->time_s && a->energy_j == b->energy_j;
}

static void mark(GArray *points, guint begin, guint end, const struct unknown_widths *unknown,
	struct frontier_point *point)
{
	bool surely = false, possibly = false;

	point->better = FRONTIER_NONE;
	for (guint i = begin; i < end; i++) {
		const struct frontier_point *other = frontier_at(points, i);

		if (other == point || is_same(other, point))
			continue;
		surely |= is_better(other, point) && is_better_within(other, point, unknown, 1);
		possibly |= is_better_within(other, point, unknown, -1);
		if (is_better(other, point) &&
			(point->better == FRONTIER_NONE ||
				other->energy_j < frontier_at(points, point->better)->energy_j))
			point->better = i;
	}
	point->frontier = point->better == FRONTIER_NONE;
	point->maybe = point->frontier ? possibly : !surely;
}

void frontier_mark(GArray *points)
{
	struct unknown_widths unknown = widths_of(points);

	sort(points);
	for (guint begin = 0, end; begin < points->len; begin = end) {
		end = frontier_group_end(points, begin);
		for (guint i = begin; i < end; i++)
			mark(points, begin, end, &unknown, frontier_at(points, i));
	}
}

/* ---- the choice ---- */

/* What is to be least, of a point that is allowed; infinite of others. */
static double cost_of(
	const struct frontier_point *point, const struct frontier_goal *goal, double fastest_s)
{
	switch (goal->aim) {
	case AIM_DEADLINE:
		return point->time_s <= goal->deadline_s ? point->energy_j : INFINITY;
	case AIM_SLACK:
		return point->time_s <= fastest_s * (1 + goal->slack) ? point->energy_j : INFINITY;
	case AIM_WEIGHT:
		return goal->weight * point->energy_j +
		       (1 - goal->weight) * goal->limit_w * point->time_s;
	case AIM_BUDGET:
		return point->energy_j / point->time_s <= goal->budget_w ? point->time_s : INFINITY;
	default:
		return INFINITY;
	}
}

/* Why no point of a group serves a goal; the caller frees it. */
static char *say_none(
	const GArray *points, guint begin, guint end, const struct frontier_goal *goal)
{
	double least_w = INFINITY;

	if (goal->aim == AIM_DEADLINE)
		return g_strdup_printf(
			"the fastest takes %.4g s", frontier_fastest(points, begin)->time_s);
	for (guint i = begin; i < end; i++)
		least_w = fmin(
			least_w, frontier_at(points, i)->energy_j / frontier_at(points, i)->time_s);
	return g_strdup_printf("the least power is %.4g W", least_w);
}

guint frontier_choose(GArray *points, guint begin, const struct frontier_goal *goal, char **why)
{
	guint end = frontier_group_end(points, begin), best = FRONTIER_NONE;
	double fastest_s = frontier_fastest(points, begin)->time_s, least = INFINITY;

	for (guint i = begin; i < end; i++) {
		double cost = cost_of(frontier_at(points, i), goal, fastest_s);

		if (frontier_at(points, i)->frontier && cost < least) {
			best = i;
			least = cost;
		}
	}
	if (best == FRONTIER_NONE)
		*why = say_none(points, begin, end, goal);
	else
		frontier_at(points, best)->chosen = true;
	return best;
}
