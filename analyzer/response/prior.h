/* SPDX-License-Identifier: MIT */
/* What is taken to be known before readings tell. */
#ifndef PWRTRACE_PRIOR_H
#define PWRTRACE_PRIOR_H

/* The dynamic powers of classes lie about their typical one with this standard deviation at most,
 * as a part of the most that the sensor says.  Kernels of an H200, which says 700 W, draw 150 to
 * 700 W, so that about 200 W are due there; of a loop that sensor says the mean alone, so that not
 * less is. */
#define PRIOR_SPREAD 0.4

/* The least and the most that a sensor says, but for outliers: of readings in order, those after so
 * many and before as many. */
#define PRIOR_OUTLIERS 0.02

/* An influence is taken to change power by about so much, as a part of it. */
#define PRIOR_FACTOR 0.3

#endif
