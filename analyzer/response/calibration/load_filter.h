/* SPDX-License-Identifier: MIT */
/* A load of two levels, filtered by a sensor's response (analyzer/response/shape.h). */
#ifndef PWRTRACE_CALIBRATION_LOAD_FILTER_H
#define PWRTRACE_CALIBRATION_LOAD_FILTER_H

#include "analyzer/response/calibration/load.h"
#include "analyzer/response/shape.h"

#define LOAD_FILTER_SERIES 3 /* an observation is evaluated at three times */

/* A filter of first order whose input is 1 while the load is on, else 0: its state at each edge. */
struct load_filter {
	double tail_s;
	guint count;
	guint last[2 * LOAD_FILTER_SERIES]; /* the edge that each series used last */
	struct load_filter_edge {
		double time_s;
		double area_s; /* integral of the filter's output up to here */
		double level;  /* the filter's output here */
		bool on;       /* from here on */
	} * edges;
};

/* Fills in filter, which the caller clears, for the spans of a load (load.h). */
void load_filter_fill(struct load_filter *filter, const GArray *on, double tail_s);
void load_filter_clear(struct load_filter *filter);

/* The reading, 0 to 1, at time_s of a sensor with this shape, whose tail is that of filter.  It is
 * fast where the times of each series rise. */
double load_filter_at(const struct response_shape *shape, struct load_filter *filter, double time_s,
	unsigned series);

#endif
