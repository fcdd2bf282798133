/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/shape.h"

#include <math.h>

#define FORGOTTEN 14 /* time constants: e^-14 < 1e-6 */
#define POINT_S 1e-7 /* a window or a tail that is as good as none */

/* Where the filter is a time after an edge. */
static struct filtered_edge after(const struct filtered_edge *edge, double tail_s, double passed_s)
{
	double left = tail_s < POINT_S ? 0 : exp(-passed_s / tail_s);
	double above = edge->level - edge->on;

	return (struct filtered_edge){.time_s = edge->time_s + passed_s,
		.area_s = edge->area_s + edge->on * passed_s + above * tail_s * (1 - left),
		.level = edge->on + above * left};
}

void filtered_fill(struct filtered *filtered, const GArray *on, double tail_s)
{
	struct filtered_edge edge = {.time_s = -INFINITY};

	*filtered = (struct filtered){
		.tail_s = tail_s, .edges = g_new(struct filtered_edge, 2 * on->len)};
	for (guint i = 0; i < 2 * on->len; i++) {
		const struct load_span *span = &g_array_index(on, struct load_span, i / 2);
		double time_s = i % 2 ? span->end_s : span->begin_s;

		edge = i ? after(&edge, tail_s, time_s - edge.time_s)
			 : (struct filtered_edge){.time_s = time_s};
		edge.on = !(i % 2);
		filtered->edges[filtered->count++] = edge;
	}
}

void filtered_clear(struct filtered *filtered)
{
	g_free(filtered->edges);
	filtered->edges = NULL;
}

/* last: the edge that was needed before, which the one needed now is mostly near to. */
static struct filtered_edge filtered_at(const struct filtered *filtered, double time_s, guint *last)
{
	while (*last + 1 < filtered->count && filtered->edges[*last + 1].time_s <= time_s)
		++*last;
	while (*last && filtered->edges[*last].time_s > time_s)
		--*last;
	if (!filtered->count || filtered->edges[*last].time_s > time_s)
		return (struct filtered_edge){.time_s = time_s};
	return after(
		&filtered->edges[*last], filtered->tail_s, time_s - filtered->edges[*last].time_s);
}

double shape_answer(
	const struct shape *shape, struct filtered *filtered, double time_s, unsigned series)
{
	guint *last = &filtered->last[2 * series];
	struct filtered_edge to = filtered_at(filtered, time_s - shape->delay_s, &last[0]), from;

	if (shape->window_s < POINT_S)
		return to.level;
	from = filtered_at(filtered, time_s - shape->delay_s - shape->window_s, &last[1]);
	return (to.area_s - from.area_s) / shape->window_s;
}

double shape_step(const struct shape *shape, double lag_s)
{
	struct filtered_edge edge = {.on = true};
	struct filtered step = {.tail_s = shape->tail_s, .count = 1, .edges = &edge};

	return shape_answer(shape, &step, lag_s, 0);
}

double shape_memory_s(const struct shape *shape)
{
	return shape->delay_s + shape->window_s + FORGOTTEN * shape->tail_s;
}

double shape_centroid_s(const struct shape *shape)
{
	return shape->delay_s + shape->window_s / 2 + shape->tail_s;
}

double shape_equivalent_window_s(const struct shape *shape)
{
	double window_s = shape->window_s, tail_s = shape->tail_s;

	if (window_s < POINT_S)
		return 2 * tail_s;
	if (tail_s < POINT_S)
		return window_s;
	if (window_s < 1e-3 * tail_s) /* where the difference below loses its digits */
		return 2 * tail_s + 2 * window_s / 3;
	return 1 / (1 / window_s + tail_s / (window_s * window_s) * expm1(-window_s / tail_s));
}

double shape_equivalent_lag_s(const struct shape *shape)
{
	return shape_centroid_s(shape) - shape_equivalent_window_s(shape) / 2;
}
