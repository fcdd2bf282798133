/* SPDX-License-Identifier: MIT */
/*
 * Intervals by drawing from a posterior density: adaptive random-walk Metropolis (Haario, Saksman,
 * Tamminen, "An adaptive Metropolis algorithm", Bernoulli 7, 2001), whose density need be neither
 * smooth nor normal.  A sensor's edges in time make it neither.
 */
#ifndef PWRTRACE_POSTERIOR_H
#define PWRTRACE_POSTERIOR_H

#include <stddef.h>

#include "analyzer/numeric/estimate.h"

#define POSTERIOR_PARAMETERS_MAX 6

struct posterior {
	size_t parameters;
	double start[POSTERIOR_PARAMETERS_MAX]; /* where the density is not zero */
	double scale[POSTERIOR_PARAMETERS_MAX]; /* of the first steps */
	/* The logarithm of the density but for a constant; -INFINITY where it is zero. */
	double (*log_density)(const double *parameters, const void *data);
	const void *data;
	size_t learn_steps; /* before the first draw */
};

/* Fills draws[count][parameters].  The same posterior gives the same draws.  best, unless NULL,
 * becomes the densest point that was met. */
void posterior_draw(const struct posterior *posterior, double *draws, size_t count, double *best);

/* The median and the shortest interval that holds 95 % of count values, which lie stride apart.
 * Where it reaches down to the least of them and no value can be below floor, it begins there;
 * floor: -INFINITY where there is none. */
struct estimate posterior_estimate(const double *values, size_t count, size_t stride, double floor);

#endif
