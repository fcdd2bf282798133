/* SPDX-License-Identifier: MIT */
#include "analyzer/clock/lines.h"

#include <math.h>

static const struct clock_line *corner(const GArray *lines, guint i)
{
	return &g_array_index(lines, struct clock_line, i % lines->len);
}

GArray *lines_through(const struct bracket *bracket, double rate_max)
{
	static const int signs[][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct clock_line));

	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
		double rate = signs[i][0] * rate_max;
		double y_ns = bracket->y_ns + signs[i][1] * bracket->error_ns;
		struct clock_line line = {y_ns - rate * bracket->x_ns, rate};

		g_array_append_val(lines, line);
	}
	return lines;
}

/* The part of a polygon in which side·(line at x) <= side·limit, by the clipping algorithm of
 * Sutherland and Hodgman. */
static GArray *clipped(const GArray *lines, double x_ns, double limit_ns, int side)
{
	GArray *part = g_array_new(FALSE, FALSE, sizeof(struct clock_line));

	for (guint i = 0; i < lines->len; i++) {
		const struct clock_line *a = corner(lines, i), *b = corner(lines, i + 1);
		double over_a = side * (line_at(a, x_ns) - limit_ns);
		double over_b = side * (line_at(b, x_ns) - limit_ns);

		if (over_a <= 0)
			g_array_append_vals(part, a, 1);
		if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0)) {
			double share = over_a / (over_a - over_b);
			struct clock_line cut = {
				a->offset_ns + share * (b->offset_ns - a->offset_ns),
				a->rate + share * (b->rate - a->rate)};

			g_array_append_val(part, cut);
		}
	}
	return part;
}

/* Replaces lines by a part of them.  Returns false, and changes nothing, where it is empty. */
static bool replace(GArray *lines, const GArray *part)
{
	if (!part->len)
		return false;
	g_array_set_size(lines, 0);
	g_array_append_vals(lines, part->data, part->len);
	return true;
}

bool lines_narrow(GArray *lines, const struct bracket *bracket)
{
	GArray *below = clipped(lines, bracket->x_ns, bracket->y_ns + bracket->error_ns, 1);
	GArray *within = clipped(below, bracket->x_ns, bracket->y_ns - bracket->error_ns, -1);
	bool any = replace(lines, within);

	g_array_free(below, TRUE);
	g_array_free(within, TRUE);
	return any;
}

bool lines_limit(GArray *lines, double x_ns, double limit_ns, int side)
{
	bool all = true, any;
	GArray *part;

	for (guint i = 0; i < lines->len && all; i++)
		all = side * (line_at(corner(lines, i), x_ns) - limit_ns) <= 0;
	if (all)
		return true;
	part = clipped(lines, x_ns, limit_ns, side);
	any = replace(lines, part);
	g_array_free(part, TRUE);
	return any;
}

struct bracket lines_at(const GArray *lines, double x_ns)
{
	double least_ns = INFINITY, most_ns = -INFINITY;

	for (guint i = 0; i < lines->len; i++) {
		double y_ns = line_at(corner(lines, i), x_ns);

		least_ns = MIN(least_ns, y_ns);
		most_ns = MAX(most_ns, y_ns);
	}
	return (struct bracket){x_ns, (least_ns + most_ns) / 2, (most_ns - least_ns) / 2};
}

/* Sums are about the means, so that nanoseconds are not lost in x of days. */
struct squared_error squared_error_of(const GArray *brackets, double rate_error)
{
	double sum = 0, x_ns = 0, y_ns = 0, xx = 1 / (rate_error * rate_error), xy = 0, rate;

	for (guint i = 0; i < brackets->len; i++) {
		const struct bracket *at = &g_array_index(brackets, struct bracket, i);
		double weight = 1 / (at->error_ns * at->error_ns);

		sum += weight;
		x_ns += weight / sum * (at->x_ns - x_ns);
		y_ns += weight / sum * (at->y_ns - y_ns);
	}
	for (guint i = 0; i < brackets->len; i++) {
		const struct bracket *at = &g_array_index(brackets, struct bracket, i);
		double weighted = (at->x_ns - x_ns) / (at->error_ns * at->error_ns);

		xx += weighted * (at->x_ns - x_ns);
		xy += weighted * (at->y_ns - y_ns);
	}
	rate = xy / xx;
	return (struct squared_error){{y_ns - rate * x_ns, rate}, x_ns, sum, xx};
}

/* A line as a point in the plane, scaled such that the squared distance from the origin is the
 * line's squared error above the least. */
struct point {
	double u, v;
};

static struct point point_of(const struct squared_error *error, const struct clock_line *line)
{
	return (struct point){sqrt(error->of_offset) * (line_at(line, error->x_ns) -
							       line_at(&error->least, error->x_ns)),
		sqrt(error->of_rate) * (line->rate - error->least.rate)};
}

/* Whether the line of least squared error is inside the polygon: all edges turn the same way around
 * it. */
static bool hold_the_least(const GArray *lines, const struct squared_error *error)
{
	bool left = false, right = false;

	for (guint i = 0; i < lines->len; i++) {
		struct point a = point_of(error, corner(lines, i));
		struct point b = point_of(error, corner(lines, i + 1));
		double turn = a.u * b.v - a.v * b.u;

		left |= turn > 0;
		right |= turn < 0;
	}
	return left != right;
}

static double distance(struct point point)
{
	return sqrt(point.u * point.u + point.v * point.v);
}

/* The line on an edge of the polygon with the least squared error; *away is set to its distance
 * from the origin (struct point). */
static struct clock_line nearest_of_edge(const struct clock_line *from, const struct clock_line *to,
	const struct squared_error *error, double *away)
{
	struct point a = point_of(error, from), b = point_of(error, to);
	double du = b.u - a.u, dv = b.v - a.v, length = du * du + dv * dv;
	double share = length > 0 ? -(a.u * du + a.v * dv) / length : 0;

	share = CLAMP(share, 0, 1);
	*away = distance((struct point){a.u + share * du, a.v + share * dv});
	return (struct clock_line){from->offset_ns + share * (to->offset_ns - from->offset_ns),
		from->rate + share * (to->rate - from->rate)};
}

struct clock_line lines_best(const GArray *lines, const struct squared_error *error)
{
	double least = INFINITY, most = 0;
	struct clock_line best = error->least, sum = {0, 0};

	if (hold_the_least(lines, error))
		return best;
	for (guint i = 0; i < lines->len; i++) {
		double away;
		struct clock_line nearest =
			nearest_of_edge(corner(lines, i), corner(lines, i + 1), error, &away);

		if (away < least) {
			least = away;
			best = nearest;
		}
		most = MAX(most, distance(point_of(error, corner(lines, i))));
		sum.offset_ns += corner(lines, i)->offset_ns;
		sum.rate += corner(lines, i)->rate;
	}
	return most - least < 1
		       ? (struct clock_line){sum.offset_ns / lines->len, sum.rate / lines->len}
		       : best;
}
