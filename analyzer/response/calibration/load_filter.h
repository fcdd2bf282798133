/* SPDX-License-Identifier: MIT */
/* A load of two levels behind a sensor's response (analyzer/response/shape.h). */
#ifndef PWRTRACE_CALIBRATION_LOAD_FILTER_H
#define PWRTRACE_CALIBRATION_LOAD_FILTER_H

#include "analyzer/response/calibration/load.h"
#include "analyzer/response/shape.h"

#define LOAD_FILTER_SERIES 3

/* A load of 1 when it is on and 0 when not, behind the filter: its state at each edge. */
struct load_filter {
	double tail_s;
	guint count;
	guint last[2 * LOAD_FILTER_SERIES]; /* the edge that was needed last */
	struct load_filter_edge {
		double time_s;
		double area_s; /* of what the filter has let through until here */
		double level;  /* that it lets through here */
		bool on;       /* from here on */
	} * edges;
};

/* Fills in filter, which the caller clears, for the spans of a load (load.h). */
void load_filter_fill(struct load_filter *filter, const GArray *on, double tail_s);
void load_filter_clear(struct load_filter *filter);

/* What a sensor of this shape, whose tail filter has, reads at time_s.  Quick where the times of
 * each series rise. */
double load_filter_at(const struct response_shape *shape, struct load_filter *filter, double time_s,
	unsigned series);

#endif
