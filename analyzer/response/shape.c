/* SPDX-License-Identifier: MIT */
#include "analyzer/response/shape.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyzer/numeric/solve.h"

#define POINT_NS 100.       /* a shorter window or tail counts as none: below any clock's error */
#define FORGOTTEN 14        /* time constants: e^-14 < 1e-6 */
#define BY 0.01             /* units: slopes change over a few hundredths of a period */
#define NEXT_TO_NOTHING 0.1 /* units: one-sided step from a window or tail near 0 */

struct response_shape response_shape_moved(
	const struct response_shape *shape, const double by_ns[SHAPE_PARAMETERS])
{
	struct response_shape moved = {.window_ns = MAX(shape->window_ns + by_ns[SHAPE_WINDOW], 0),
		.tail_ns = MAX(shape->tail_ns + by_ns[SHAPE_TAIL], 0)};

	moved.lag_ns = shape->lag_ns + by_ns[SHAPE_LAG] + (shape->window_ns - moved.window_ns) / 2 +
		       shape->tail_ns - moved.tail_ns;
	return moved;
}

/* Central differences, except near a window or a tail of 0, where the derivative vanishes: there
 * the difference is taken to one of NEXT_TO_NOTHING. */
double response_shape_sides(const struct response_shape *shape, int parameter, double unit_ns,
	struct response_shape sides[2])
{
	double length_ns = parameter == SHAPE_WINDOW ? shape->window_ns : shape->tail_ns;
	bool none = parameter != SHAPE_LAG && length_ns < NEXT_TO_NOTHING / 2 * unit_ns;
	double up = none ? NEXT_TO_NOTHING : BY, down = none ? 0 : BY;
	double by_ns[SHAPE_PARAMETERS] = {0};

	by_ns[parameter] = up * unit_ns;
	sides[0] = response_shape_moved(shape, by_ns);
	by_ns[parameter] = -down * unit_ns;
	sides[1] = response_shape_moved(shape, by_ns);
	return up + down;
}

/* Window and tail may not get negative, so that the equations are solved for their new lengths and
 * not for their changes; the lag is free. */
double response_shape_step(const double information[SHAPE_PARAMETERS * SHAPE_PARAMETERS],
	const double score[SHAPE_PARAMETERS], const double length[SHAPE_PARAMETERS],
	double by[SHAPE_PARAMETERS])
{
	double right[SHAPE_PARAMETERS], gain = 0;

	memcpy(right, score, sizeof(right));
	for (int i = 0; i < SHAPE_PARAMETERS; i++)
		for (int k = 0; k < SHAPE_PARAMETERS; k++)
			right[i] += information[i * SHAPE_PARAMETERS + k] *
				    (k == SHAPE_LAG ? 0 : length[k]);
	if (!solve_partly_nonnegative(
		    SHAPE_PARAMETERS, information, right, SHAPE_LAG, SHAPE_LAG + 1, by)) {
		memset(by, 0, SHAPE_PARAMETERS * sizeof(*by));
		return 0;
	}
	for (int i = 0; i < SHAPE_PARAMETERS; i++) {
		by[i] -= i == SHAPE_LAG ? 0 : length[i];
		by[i] = CLAMP(by[i], -SHAPE_STEP_MOST, SHAPE_STEP_MOST);
		gain += by[i] * score[i];
	}
	return gain;
}

double response_shape_below(const struct response_shape *shape, double t_ns)
{
	double window_ns = shape->window_ns, tail_ns = shape->tail_ns, rise, since;

	t_ns -= shape->lag_ns;
	if (t_ns <= 0)
		return 0;
	if (window_ns < POINT_NS)
		return tail_ns < POINT_NS ? 1 : -expm1(-t_ns / tail_ns);
	since = t_ns - window_ns;
	rise = MIN(t_ns, window_ns);
	if (tail_ns >= POINT_NS) {
		rise = t_ns - tail_ns * (1 - exp(-t_ns / tail_ns));
		if (since > 0)
			rise -= since - tail_ns * (1 - exp(-since / tail_ns));
	}
	return rise / window_ns;
}

double response_shape_mean_ns(const struct response_shape *shape)
{
	return shape->lag_ns + shape->window_ns / 2 + shape->tail_ns;
}

double response_shape_end_ns(const struct response_shape *shape)
{
	return shape->lag_ns + shape->window_ns + FORGOTTEN * shape->tail_ns;
}

double response_shape_equivalent_window_ns(const struct response_shape *shape)
{
	double window_ns = shape->window_ns, tail_ns = shape->tail_ns;

	if (window_ns < POINT_NS)
		return 2 * tail_ns;
	if (tail_ns < POINT_NS)
		return window_ns;
	if (window_ns < 1e-3 * tail_ns) /* where the difference below loses its digits */
		return 2 * tail_ns + 2 * window_ns / 3;
	return 1 /
	       (1 / window_ns + tail_ns / (window_ns * window_ns) * expm1(-window_ns / tail_ns));
}

double response_shape_equivalent_lag_ns(const struct response_shape *shape)
{
	return response_shape_mean_ns(shape) - response_shape_equivalent_window_ns(shape) / 2;
}
