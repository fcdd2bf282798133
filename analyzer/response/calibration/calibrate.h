/* SPDX-License-Identifier: MIT */
/*
 * The shape of a sensor's response, from a load whose times are known and what the sensor said.
 *
 *   y_i = idle + drift · t_i + step · z(t_i) + noise,   z: what the shape makes of the load
 *
 * A grid of shapes finds the least squares, then the posterior of the shape is drawn, with the
 * levels integrated out.  The noise has two parts: one of the value, and one of the time, which
 * grows with the slope of what is measured.  Where what is left is correlated, the posterior is as
 * wide as that many fewer independent values make it.
 */
#ifndef PWRTRACE_CALIBRATION_CALIBRATE_H
#define PWRTRACE_CALIBRATION_CALIBRATE_H

#include "analyzer/numeric/estimate.h"
#include "analyzer/response/calibration/observation.h"

struct calibrated_response {
	struct response_shape shape; /* the best one */
	struct estimate delay_s, window_s, tail_s;
	struct estimate equivalent_window_s; /* of a gauge */
	struct estimate equivalent_lag_s;    /* of a counter the centroid */
	struct estimate idle_w, step_w;
	struct estimate noise_w;  /* standard deviation of a value */
	struct estimate timing_s; /* and of its time */
	double drift_w_per_s;
	double middle_s;    /* of the observations: the time for which idle_w stands */
	double residual_w;  /* root mean square */
	double correlation; /* how many neighbours say the same: 1 where they are independent */
	bool at_edge;       /* the best shape is slower than what was looked for */
};

/* observations: struct observation in order of time, all gauges or all counters; period_s: their
 * usual distance.  Returns false where the load does not show in them. */
bool calibrate_response(struct calibrated_response *fit, const GArray *observations,
	const GArray *on, double period_s);

/* The least root mean square that a coarse grid of shapes leaves; INFINITY where there is none. */
double calibrate_least_w(const GArray *observations, const GArray *on, double period_s);

/* The power that a level of the load, from 0 to 1, means at a time. */
double calibrated_level_w(const struct calibrated_response *fit, double time_s, double level);

/* Fills in the standard deviation of each observation, and what is left of it after the fit. */
void calibrated_expect(const struct calibrated_response *fit, const GArray *observations,
	const GArray *on, double *sigmas_w, double *left_w);

#endif
