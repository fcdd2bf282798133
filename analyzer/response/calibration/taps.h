/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response without a formula: non-negative weights by lag, whose second differences are
 * penalized.
 *
 *	min over w ≥ 0 of Σ_i (r_i / σ_i)² + λ Σ_k (w_k-1 - 2 w_k + w_k+1)²
 *	with the residuals r_i = y_i - idle - drift · t_i - Σ_k w_k z_k(t_i)
 *
 * z_k is the load's mean over the lags of tap k; λ minimizes the score of generalized
 * cross-validation.
 */
#ifndef PWRTRACE_CALIBRATION_TAPS_H
#define PWRTRACE_CALIBRATION_TAPS_H

#include "analyzer/response/calibration/calibrate.h"

#define TAPS_MAX 48 /* finer ones would be all penalty */

struct taps {
	double first_s; /* the lag at which the first begins */
	double step_s;  /* how long each is */
	unsigned count;
	double weight[TAPS_MAX]; /* sum 1 */
	double error[TAPS_MAX];  /* half of the 95 % interval of each */
	double fit;              /* chi-square per degree of freedom, with the response's sigmas */
};

/* Fits the taps of a gauge over the lags that its shape reaches; on: struct load_span.  Returns
 * false where the equations cannot be solved or no weight is above 0. */
bool taps_fit(struct taps *taps, const struct calibrated_response *fit, const GArray *observations,
	const GArray *on);

/* Replaces the weights by those of a shape over these lags; count and fit stay. */
void taps_of_shape(
	struct taps *taps, const struct response_shape *shape, double first_s, double step_s);

#endif
