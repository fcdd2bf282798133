/* SPDX-License-Identifier: MIT */
/* Points of a profile: readings whose whole window lies in one execution (FinGraV calls such a log
 * a LOI, and its time in the execution the TOI). */
#ifndef PWRTRACE_POINTS_H
#define PWRTRACE_POINTS_H

#include "analyzer/model/source.h"
#include "analyzer/profile/runs.h"
#include "analyzer/profile/steady.h"

struct point {
	double toi_s; /* from the begin of the execution to the middle of the window */
	double run_s; /* the same from the begin of its run */
	double power_w;
	const char *domain; /* of the sensor */
	bool whole;         /* the sensor's domain is no part of another */
	guint execution;    /* its index in runs->executions */
};

/* What a reading is the mean of: a window that ends lag_ns before it. */
struct point_window {
	double window_ns, lag_ns;
};

/* Adds to points (struct point) those that a sensor tells of the runs that are marked in chosen (by
 * run). */
void points_add(GArray *points, const struct runs *runs, const bool *chosen,
	const struct source *source, const struct point_window *window);

/* The mean power of each part of the points of whole devices, and their interval.  part_of: by
 * execution of the runs, its part, from 1; 0: none.  Sets powers[parts] and counts[parts], of part
 * 1 first.  The variance of a part is drawn to that of the others, as of few points it is not
 * known. */
void points_powers(const GArray *points, const guint *part_of, guint parts,
	struct steady_power *powers, guint *counts);

#endif
