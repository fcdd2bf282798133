/* SPDX-License-Identifier: MIT */
/*
 * Estimates the shape of a sensor's response from its readings of a load whose times are known.
 *
 *   y_i = idle + drift · t_i + step · z(t_i) + noise,   z: the load, filtered by the shape
 *
 * The best of a grid of shapes starts a walk through the posterior of the shape, in which the three
 * levels are integrated out.  The noise has two parts: one of the value, and one of the time, which
 * grows with the slope of what is measured.  Where residuals are correlated, the log-likelihood is
 * divided so that it counts their effective sample size.
 */
#ifndef PWRTRACE_CALIBRATION_CALIBRATE_H
#define PWRTRACE_CALIBRATION_CALIBRATE_H

#include "analyzer/numeric/estimate.h"
#include "analyzer/response/calibration/load_observation.h"

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
	double correlation; /* observations over their effective number: 1 where independent */
	bool at_edge;       /* the best shape is slower than the slowest of the grid */
};

/* Fits observations (struct load_observation in the order of time, all of a gauge or all of a
 * counter) whose usual distance is period_s; on: struct load_span.  Returns false where there are
 * too few of them, or where the load does not show in them. */
bool calibrate_response(struct calibrated_response *fit, const GArray *observations,
	const GArray *on, double period_s);

/* The least root mean square of the residuals over the grid of shapes, in W; INFINITY where there
 * are too few observations. */
double calibrate_least_w(const GArray *observations, const GArray *on, double period_s);

/* The power in W at a time where the filtered load has this level, from 0 to 1. */
double calibrated_level_w(const struct calibrated_response *fit, double time_s, double level);

/* Fills in the standard deviation and the residual of each observation. */
void calibrated_expect(const struct calibrated_response *fit, const GArray *observations,
	const GArray *on, double *sigmas_w, double *left_w);

#endif
