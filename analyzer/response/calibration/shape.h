/* SPDX-License-Identifier: MIT */
/*
 * How a sensor answers to power, in three numbers: it averages over a window, through a filter of
 * first order, after a delay.
 *
 *   h(τ) = boxcar of window_s ∗ exp(-τ / tail_s) / tail_s, shifted by delay_s        (∫h = 1, h ≥
 * 0)
 */
#ifndef PWRTRACE_SENSOR_SHAPE_H
#define PWRTRACE_SENSOR_SHAPE_H

#include "analyzer/response/calibration/load.h"

struct shape {
	double delay_s;
	double window_s;
	double tail_s;
};

#define FILTERED_SERIES 3

/* A load of 1 when it is on and 0 when not, behind the filter: its state at each edge. */
struct filtered {
	double tail_s;
	guint count;
	guint last[2 * FILTERED_SERIES]; /* the edge that was needed last */
	struct filtered_edge {
		double time_s;
		double area_s; /* of what the filter has let through until here */
		double level;  /* that it lets through here */
		bool on;       /* from here on */
	} * edges;
};

/* Fills in filtered, which the caller clears, for the spans of a load (load.h). */
void filtered_fill(struct filtered *filtered, const GArray *on, double tail_s);
void filtered_clear(struct filtered *filtered);

/* What a sensor of this shape, whose tail filtered has, says at time_s.  Quick where the times of
 * each series rise. */
double shape_answer(
	const struct shape *shape, struct filtered *filtered, double time_s, unsigned series);

/* ∫h up to a lag. */
double shape_step(const struct shape *shape, double lag_s);

/* The lag after which no more than 1e-6 of h is left. */
double shape_memory_s(const struct shape *shape);

double shape_centroid_s(const struct shape *shape);

/*
 * Any response has an equivalent boxcar: the one of the same centroid whose length is 1/∫h².  Of a
 * boxcar that is itself, of a filter of first order the length is twice its time constant.
 */
double shape_equivalent_window_s(const struct shape *shape);
double shape_equivalent_lag_s(const struct shape *shape);

#endif
