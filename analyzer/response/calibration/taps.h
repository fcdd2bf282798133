/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response without a formula: non-negative weights over the lag, of which neighbours are
 * alike.
 *
 *   min over w ≥ 0 of Σ((y_i - idle - drift · t_i - Σ_k w_k z_k(t_i)) / σ_i)² + λ Σ(w_k-1 - 2 w_k +
 * w_k+1)²
 *
 * z_k is the load's mean over the lags of tap k; λ is what predicts best what was left out
 * (generalized cross-validation).
 */
#ifndef PWRTRACE_CALIBRATION_TAPS_H
#define PWRTRACE_CALIBRATION_TAPS_H

#include "analyzer/response/calibration/calibrate.h"

#define TAPS_MAX 48

struct taps {
	double first_s; /* the lag at which the first begins */
	double step_s;  /* how long each is */
	unsigned count;
	double weight[TAPS_MAX]; /* sum 1 */
	double error[TAPS_MAX];  /* half of the 95 % interval of each */
	double fit;              /* chi-square per degree of freedom, with the response's sigmas */
};

/* Finds the taps of a gauge over the lags that its shape reaches.  Returns false where the
 * observations do not settle them. */
bool taps_fit(struct taps *taps, const struct calibrated_response *fit, const GArray *observations,
	const GArray *on);

/* The taps of a shape, over the same lags; its fit is that of the observations. */
void taps_of_shape(
	struct taps *taps, const struct response_shape *shape, double first_s, double step_s);

#endif
