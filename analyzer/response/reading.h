/* SPDX-License-Identifier: MIT */
/* The readings of a power sensor that an estimator can use. */
#ifndef PWRTRACE_READING_H
#define PWRTRACE_READING_H

#include "analyzer/model/source.h"

/* How far a reading is off before residuals tell: a standard deviation of a hundredth of it, which
 * is what vendors state of their sensors, and of a five-hundredth of the mean reading. */
#define READING_ERROR_PART 0.01
#define READING_ERROR_FLOOR 0.002

/* Of a counter the mean power between the two times, whose response is then that of its rate; for a
 * gauge since_ns is time_ns. */
struct power_reading {
	double time_ns;
	double since_ns;
	double length_ns; /* that it stands for */
	double power_w;
};

/* Readings that a fit does not use. */
struct readings_left_out {
	guint backwards; /* of a counter that fell, or from which it fell back */
	guint stalled;   /* a sensor that stood still */
	guint asleep;    /* of a device that slept */
	guint saturated; /* one that says no more than ceiling_w */
	double ceiling_w;
};

/* The readings of a source that a fit can use (struct power_reading), in order: what lies before
 * the recording, runs backwards or stands still is left out, and counted in left_out (or NULL); so
 * is what a counter gained over a hole (curve.h), of which it says nothing but the mean. The caller
 * frees the array. */
GArray *readings_of(const struct source *source, struct readings_left_out *left_out);

/* The variance of a reading before residuals tell, where readings have this mean. */
double reading_variance(double mean_w, double power_w);

#endif
