/* SPDX-License-Identifier: MIT */
/*
 * Draws from a posterior density, and intervals from the draws: adaptive random-walk Metropolis
 * (Haario, Saksman, Tamminen, "An adaptive Metropolis algorithm", Bernoulli 7, 2001).  The density
 * need be neither smooth nor normal; those of a sensor's lag and window are not, since readings
 * jump where an edge of the load enters the window.
 */
#ifndef PWRTRACE_POSTERIOR_H
#define PWRTRACE_POSTERIOR_H

#include <stddef.h>

#include "analyzer/numeric/estimate.h"

#define POSTERIOR_PARAMETERS_MAX 6

struct posterior {
	size_t parameters;
	double start[POSTERIOR_PARAMETERS_MAX]; /* a point where the density is not zero */
	double scale[POSTERIOR_PARAMETERS_MAX]; /* the standard deviations of the first steps */
	/* The logarithm of the density, up to a constant; -INFINITY where it is zero. */
	double (*log_density)(const double *parameters, const void *data);
	const void *data;
	size_t learn_steps; /* burn-in: steps before the first draw, in which the proposal adapts */
};

/* Fills draws[count][parameters].  The seed is fixed: the same posterior gives the same draws.
 * best[parameters], unless NULL, is set to the visited point of the highest density. */
void posterior_draw(const struct posterior *posterior, double *draws, size_t count, double *best);

/* The median and the shortest interval that holds 95 % of count draws of one parameter, at
 * values[0], values[stride], ...  floor is the parameter's lower bound, or -INFINITY: an interval
 * that begins with the lowest draws, near the bound, is extended down to it. */
struct estimate posterior_estimate(const double *values, size_t count, size_t stride, double floor);

#endif
