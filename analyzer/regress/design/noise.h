/* SPDX-License-Identifier: MIT */
/*
 * The noise of readings.  The variance of a reading is a sum of eight terms, equation (9) of
 * analyzer/regress/README.md: a constant, another one for readings of the program where others are
 * of replays, the square of the reading, the square of the busy part, the variance that executions
 * of one class cause by differing from each other, which averages out where they are short, and how
 * much power changes within what the reading sees: where it does not, nothing depends on exact
 * times and on the sensor's exact response.  The changes that replays make have factors of their
 * own, one for all of them and one for the coarse ones (replayed_change.h).
 * The factors of the terms are estimated from the residuals (Davidian and Carroll, "Variance
 * function estimation", JASA 82, 1987).
 */
#ifndef PWRTRACE_NOISE_H
#define PWRTRACE_NOISE_H

#include <glib.h>

enum {
	NOISE_FLOOR,
	NOISE_PART,
	NOISE_BUSY,
	NOISE_EXECUTIONS,
	NOISE_CHANGE,
	NOISE_REPLAYED,
	NOISE_REPLAYED_COARSE,
	NOISE_PROGRAM,
	NOISE_TERMS
};

/* The terms of one reading's variance: those of the constants and of the busy part without a unit,
 * all others in W². */
struct noise_row {
	double term[NOISE_TERMS];
};

struct noise {
	double factor[NOISE_TERMS];
	double least_w2; /* the least variance: less is rounding */
};

/* The noise before there are residuals: 1 % of a reading, and 0.2 % of mean_w, that of all. */
struct noise noise_assumed(double mean_w);

/* Estimates the factors from count residuals with so many degrees of freedom.  Where the equations
 * cannot be solved, noise stays as it is. */
void noise_learn(struct noise *noise, const struct noise_row *rows, const double *residual_w,
	guint count, double freedom);

/* The variance of a reading in W². */
double noise_variance(const struct noise *noise, const struct noise_row *row);

/* The weight of a reading in W^-2: 1 / variance, less where the residual is beyond four standard
 * deviations, so that an outlier pulls no harder than at four (Huber, "Robust estimation of a
 * location parameter", Annals of Mathematical Statistics 35, 1964).
 */
double noise_weight(const struct noise *noise, const struct noise_row *row, double residual_w);

#endif
