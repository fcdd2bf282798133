/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/load_filter.h"

#include <math.h>

#define POINT_S 1e-7 /* a shorter window or tail counts as none */

/* The state of the filter some time after an edge. */
static struct load_filter_edge after(
	const struct load_filter_edge *edge, double tail_s, double passed_s)
{
	double left = tail_s < POINT_S ? 0 : exp(-passed_s / tail_s);
	double above = edge->level - edge->on;

	return (struct load_filter_edge){.time_s = edge->time_s + passed_s,
		.area_s = edge->area_s + edge->on * passed_s + above * tail_s * (1 - left),
		.level = edge->on + above * left};
}

void load_filter_fill(struct load_filter *filter, const GArray *on, double tail_s)
{
	struct load_filter_edge edge = {.time_s = -INFINITY};

	*filter = (struct load_filter){
		.tail_s = tail_s, .edges = g_new(struct load_filter_edge, 2 * on->len)};
	for (guint i = 0; i < 2 * on->len; i++) {
		const struct load_span *span = &g_array_index(on, struct load_span, i / 2);
		double time_s = i % 2 ? span->end_s : span->begin_s;

		edge = i ? after(&edge, tail_s, time_s - edge.time_s)
			 : (struct load_filter_edge){.time_s = time_s};
		edge.on = !(i % 2);
		filter->edges[filter->count++] = edge;
	}
}

void load_filter_clear(struct load_filter *filter)
{
	g_free(filter->edges);
	filter->edges = NULL;
}

/* The state of the filter at a time.  last: the edge that was used before, from which the search
 * begins. */
static struct load_filter_edge state_at(
	const struct load_filter *filter, double time_s, guint *last)
{
	while (*last + 1 < filter->count && filter->edges[*last + 1].time_s <= time_s)
		++*last;
	while (*last && filter->edges[*last].time_s > time_s)
		--*last;
	if (!filter->count || filter->edges[*last].time_s > time_s)
		return (struct load_filter_edge){.time_s = time_s};
	return after(&filter->edges[*last], filter->tail_s, time_s - filter->edges[*last].time_s);
}

double load_filter_at(const struct response_shape *shape, struct load_filter *filter, double time_s,
	unsigned series)
{
	guint *last = &filter->last[2 * series];
	double until_s = time_s - shape->lag_ns / 1e9, window_s = shape->window_ns / 1e9;
	struct load_filter_edge to = state_at(filter, until_s, &last[0]), from;

	if (window_s < POINT_S)
		return to.level;
	from = state_at(filter, until_s - window_s, &last[1]);
	return (to.area_s - from.area_s) / window_s;
}
