/* SPDX-License-Identifier: MIT */
/*
 * How far readings are off.  The variance has a floor, a part of the reading squared, a part of how
 * busy the device was, and a part of what executions of one class would make of it if each drew its
 * power give or take as much as itself: of short ones, many average out.  How much of each is what
 * the residuals say (Davidian and Carroll, "Variance function estimation", JASA 82, 1987).
 */
#ifndef PWRTRACE_NOISE_H
#define PWRTRACE_NOISE_H

#include <glib.h>

enum { NOISE_FLOOR, NOISE_PART, NOISE_BUSY, NOISE_EXECUTIONS, NOISE_TERMS };

/* What the variance of one reading is made of: 1, W², 1 and W². */
struct noise_row {
	double term[NOISE_TERMS];
};

struct noise {
	double factor[NOISE_TERMS];
	double least_w2; /* below, digits are all that is left */
};

/* What is assumed before there are residuals: one hundredth of a reading, and a floor. */
struct noise noise_assumed(double mean_w);

/* Of so many residuals, freedom of which are free.  Where no factors explain them, noise stays as
 * it is. */
void noise_learn(struct noise *noise, const struct noise_row *rows, const double *residual_w,
	guint count, double freedom);

double noise_variance(const struct noise *noise, const struct noise_row *row);

/* What a reading weighs: 1 / variance, and less the further it is off beyond four standard
 * deviations, so that one that nothing explains moves powers by no more than one that chance does
 * (Huber, "Robust estimation of a location parameter", Annals of Mathematical Statistics 35, 1964).
 */
double noise_weight(const struct noise *noise, const struct noise_row *row, double residual_w);

#endif
