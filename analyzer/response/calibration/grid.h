/* SPDX-License-Identifier: MIT */
/*
 * The grid of times on which a sensor has new values: tick k is at tick_s + k · period_s, give or
 * take a jitter.
 *
 * A time stamp is a tick plus jitter.  Without stamps, a value changed between two readings with
 * the probability that a tick lies between them.  Some updates are on no tick, as they were stamped
 * late; their share is a parameter of its own.
 */
#ifndef PWRTRACE_SENSOR_GRID_H
#define PWRTRACE_SENSOR_GRID_H

#include "analyzer/numeric/estimate.h"
#include "analyzer/response/calibration/update.h"

struct grid {
	struct estimate period_s;
	struct estimate tick_s;    /* the tick in the middle of the updates */
	struct estimate jitter_s;  /* standard deviation */
	struct estimate off_share; /* of the updates, those on no tick */
	double off_by_s;           /* median delay of these after a tick; NaN: there are none */
};

/* Fits a grid to updates (struct update).  Returns false where they are too few or on no grid. */
bool grid_fit(struct grid *grid, const GArray *updates);

/* The tick nearest to a time. */
double grid_nearest_s(const struct grid *grid, double time_s);

/* Whether a time stamp is within the jitter of a tick. */
bool grid_has(const struct grid *grid, double time_s);

#endif
