/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/load_observation.h"

#include <math.h>

#define TIMING_FLOOR_S 1e-6           /* a more exact time counts as known: stamps are in µs */
#define ROOT_THREE 1.7320508075688772 /* Gauss-Hermite abscissa */

static struct response_shape own_shape(
	const struct response_shape *shape, const struct load_observation *observation)
{
	struct response_shape own = *shape;

	if (observation->width_s > 0)
		own.window_ns = 1e9 * observation->width_s;
	return own;
}

struct load_expectation load_observation_expect(const struct response_shape *shape,
	struct load_filter *filter, const struct load_observation *observation, double timing_s)
{
	struct response_shape own = own_shape(shape, observation);
	/* Gauss-Hermite quadrature with three points over a normal deviation. */
	double apart_s = ROOT_THREE * timing_s;
	double middle = load_filter_at(&own, filter, observation->time_s, 0), early, late, mean;

	if (timing_s < TIMING_FLOOR_S)
		return (struct load_expectation){middle, 0};
	early = load_filter_at(&own, filter, observation->time_s - apart_s, 1);
	late = load_filter_at(&own, filter, observation->time_s + apart_s, 2);
	mean = (early + 4 * middle + late) / 6;
	return (struct load_expectation){
		mean, (pow(early - mean, 2) + 4 * pow(middle - mean, 2) + pow(late - mean, 2)) / 6};
}

double load_observation_sigma_w(
	double noise_w, double step_w, const struct load_expectation *expectation)
{
	return sqrt(pow(noise_w + LOAD_OBSERVATION_FLOOR_W, 2) +
		    step_w * step_w * expectation->variance);
}
