/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/observation.h"

#include <math.h>

#define TIMING_FLOOR_S 1e-6 /* a time in µs */
#define ROOT_THREE 1.7320508075688772

static struct shape own_shape(const struct shape *shape, const struct observation *observation)
{
	struct shape own = *shape;

	if (observation->width_s > 0)
		own.window_s = observation->width_s;
	return own;
}

struct expectation observation_expect(const struct shape *shape, struct filtered *filtered,
	const struct observation *observation, double timing_s)
{
	struct shape own = own_shape(shape, observation);
	/* Three points integrate a normal deviation (Gauss and Hermite). */
	double apart_s = ROOT_THREE * timing_s;
	double middle = shape_answer(&own, filtered, observation->time_s, 0), early, late, mean;

	if (timing_s < TIMING_FLOOR_S)
		return (struct expectation){middle, 0};
	early = shape_answer(&own, filtered, observation->time_s - apart_s, 1);
	late = shape_answer(&own, filtered, observation->time_s + apart_s, 2);
	mean = (early + 4 * middle + late) / 6;
	return (struct expectation){
		mean, (pow(early - mean, 2) + 4 * pow(middle - mean, 2) + pow(late - mean, 2)) / 6};
}

double observation_sigma_w(double noise_w, double step_w, const struct expectation *expectation)
{
	return sqrt(
		pow(noise_w + OBSERVATION_FLOOR_W, 2) + step_w * step_w * expectation->variance);
}
