/* SPDX-License-Identifier: MIT */
#include "analyzer/model/lines.h"

#include <math.h>

static const struct line *corner(const GArray *lines, guint i)
{
	return &g_array_index(lines, struct line, i % lines->len);
}

GArray *lines_through(const struct bracket *bracket, double rate_max)
{
	static const int signs[][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct line));

	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
		double rate = signs[i][0] * rate_max;
		double y_ns = bracket->y_ns + signs[i][1] * bracket->error_ns;
		struct line line = {y_ns - rate * bracket->x_ns, rate};

		g_array_append_val(lines, line);
	}
	return lines;
}

/* The part of a polygon in which side·(line at x) <= side·limit (Sutherland and Hodgman). */
static GArray *clipped(const GArray *lines, double x_ns, double limit_ns, int side)
{
	GArray *part = g_array_new(FALSE, FALSE, sizeof(struct line));

	for (guint i = 0; i < lines->len; i++) {
		const struct line *a = corner(lines, i), *b = corner(lines, i + 1);
		double over_a = side * (line_at(a, x_ns) - limit_ns);
		double over_b = side * (line_at(b, x_ns) - limit_ns);

		if (over_a <= 0)
			g_array_append_vals(part, a, 1);
		if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0)) {
			double share = over_a / (over_a - over_b);
			struct line cut = {a->offset_ns + share * (b->offset_ns - a->offset_ns),
				a->rate + share * (b->rate - a->rate)};

			g_array_append_val(part, cut);
		}
	}
	return part;
}

bool lines_narrow(GArray *lines, const struct bracket *bracket)
{
	GArray *below = clipped(lines, bracket->x_ns, bracket->y_ns + bracket->error_ns, 1);
	GArray *within = clipped(below, bracket->x_ns, bracket->y_ns - bracket->error_ns, -1);
	bool any = within->len > 0;

	if (any) {
		g_array_set_size(lines, 0);
		g_array_append_vals(lines, within->data, within->len);
	}
	g_array_free(below, TRUE);
	g_array_free(within, TRUE);
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

static struct line middle(const GArray *lines)
{
	struct line sum = {0, 0};

	for (guint i = 0; i < lines->len; i++) {
		sum.offset_ns += corner(lines, i)->offset_ns;
		sum.rate += corner(lines, i)->rate;
	}
	return (struct line){sum.offset_ns / lines->len, sum.rate / lines->len};
}

/* About the means, so that nanoseconds in days of x are not lost. */
static struct line least_squares(const GArray *brackets, double rate_error)
{
	double sum = 0, x_ns = 0, y_ns = 0, xx = 0, xy = 0, rate;

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
	rate = xy / (xx + 1 / (rate_error * rate_error));
	return (struct line){y_ns - rate * x_ns, rate};
}

static bool passes(const struct line *line, const GArray *brackets)
{
	for (guint i = 0; i < brackets->len; i++) {
		const struct bracket *at = &g_array_index(brackets, struct bracket, i);

		if (fabs(line_at(line, at->x_ns) - at->y_ns) > at->error_ns)
			return false;
	}
	return true;
}

struct line lines_best(const GArray *lines, const GArray *brackets, double rate_error)
{
	struct line best = least_squares(brackets, rate_error);

	return passes(&best, brackets) ? best : middle(lines);
}
