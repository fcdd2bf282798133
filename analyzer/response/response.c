/* SPDX-License-Identifier: MIT */
#include "analyzer/response/response.h"

#include <math.h>

#define PART_TAPS 32                 /* in the window or the tail, whichever is shorter */
#define SHAPE_TAPS RESPONSE_TAPS_MAX /* in all, at most: enough for errors below a thousandth */

/* Sums up the taps' weights, which below[] holds from 1 on, scaled to an integral of 1. */
static void sum_up(struct response *response)
{
	double sum = 0;

	for (guint i = 1; i <= response->taps; i++)
		sum += response->below[i];
	response->below[0] = response->integral[0] = 0;
	for (guint i = 1; i <= response->taps; i++) {
		response->below[i] = response->below[i - 1] + response->below[i] / sum;
		response->integral[i] =
			response->integral[i - 1] +
			response->step_ns * (response->below[i - 1] + response->below[i]) / 2;
	}
	response->below[response->taps] = 1;
}

void response_of_shape(struct response *response, const struct response_shape *shape)
{
	double window_ns = MAX(shape->window_ns, RESPONSE_SHORTEST_NS), length_ns, step_ns;
	const struct response_shape from_0 = {0, window_ns, shape->tail_ns};

	*response = (struct response){
		.begin_ns = shape->lag_ns, .step_ns = window_ns, .taps = 1, .below = {0, 1}};
	if (shape->tail_ns >= RESPONSE_SHORTEST_NS) {
		length_ns = window_ns + RESPONSE_TAILS * shape->tail_ns;
		step_ns = MAX(MIN(window_ns, shape->tail_ns) / PART_TAPS, length_ns / SHAPE_TAPS);
		response->step_ns = step_ns;
		response->taps = MIN((guint)ceil(length_ns / step_ns), SHAPE_TAPS);
		for (guint i = 0; i < response->taps; i++)
			response->below[i + 1] = response_shape_below(&from_0, (i + 1) * step_ns) -
						 response_shape_below(&from_0, i * step_ns);
	}
	sum_up(response);
}

bool response_of_taps(struct response *response, const GArray *taps)
{
	const struct model_tap *tap = (const void *)taps->data;
	double sum = 0;

	if (taps->len < 2 || taps->len > RESPONSE_TAPS_MAX || tap[1].lag_ns <= tap[0].lag_ns)
		return false;
	*response = (struct response){.begin_ns = (double)tap[0].lag_ns,
		.step_ns = (double)(tap[1].lag_ns - tap[0].lag_ns),
		.taps = taps->len};
	for (guint i = 0; i < taps->len; i++) {
		if (i && fabs((double)tap[i].lag_ns - (double)tap[i - 1].lag_ns -
				 response->step_ns) > 1 + response->step_ns / 100)
			return false;
		sum += response->below[i + 1] = tap[i].weight;
	}
	if (!(sum > 0))
		return false;
	sum_up(response);
	return true;
}

void response_move(struct response *response, double by_ns, double stretch)
{
	response->begin_ns += by_ns - stretch * response->taps * response->step_ns / 2;
	response->step_ns *= 1 + stretch;
	for (guint i = 0; i <= response->taps; i++)
		response->integral[i] *= 1 + stretch;
}

double response_end_ns(const struct response *response)
{
	return response->begin_ns + response->taps * response->step_ns;
}

double response_mean_ns(const struct response *response)
{
	double sum = 0;

	for (guint i = 0; i < response->taps; i++)
		sum += (response->below[i + 1] - response->below[i]) * (i + 0.5);
	return response->begin_ns + sum * response->step_ns;
}

double response_deviation_ns(const struct response *response)
{
	double mean_ns = response_mean_ns(response), step_ns = response->step_ns;
	double variance = step_ns * step_ns / 12; /* within a tap */

	for (guint i = 0; i < response->taps; i++)
		variance += (response->below[i + 1] - response->below[i]) *
			    pow(response->begin_ns + (i + 0.5) * step_ns - mean_ns, 2);
	return sqrt(variance);
}

double response_window_ns(const struct response *response)
{
	double squares = 0;

	for (guint i = 0; i < response->taps; i++)
		squares += pow(response->below[i + 1] - response->below[i], 2);
	return response->step_ns / squares;
}

double response_lag_ns(const struct response *response)
{
	return response_mean_ns(response) - response_window_ns(response) / 2;
}

double response_integral_ns(const struct response *response, double t_ns)
{
	double place = (t_ns - response->begin_ns) / response->step_ns, part;
	guint tap;

	if (place <= 0)
		return 0;
	if (place >= response->taps)
		return response->integral[response->taps] + t_ns - response_end_ns(response);
	tap = (guint)place;
	part = place - tap;
	return response->integral[tap] +
	       response->step_ns * part *
		       (response->below[tap] +
			       part * (response->below[tap + 1] - response->below[tap]) / 2);
}
