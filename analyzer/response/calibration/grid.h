/* SPDX-License-Identifier: MIT */
/*
 * The grid of times on which a sensor has new values: tick k is at tick_s + k · period_s, give or
 * take a jitter.
 *
 * A stamp is a tick and its jitter; a value that was asked for has changed somewhere between two
 * readings, with the probability that a tick lies there.  Some fall on no tick: stamped late, or
 * seen by luck; their share is a parameter of its own.
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
	double off_by_s; /* how far after a tick these typically are; NaN: there are none */
};

/* Returns false where there are too few updates for a grid, or none is in them. */
bool grid_fit(struct grid *grid, const GArray *updates);

/* The tick nearest to a time. */
double grid_nearest_s(const struct grid *grid, double time_s);

/* Whether a stamp is one of a tick. */
bool grid_has(const struct grid *grid, double time_s);

#endif
