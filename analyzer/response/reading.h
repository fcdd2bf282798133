/* SPDX-License-Identifier: MIT */
/* The readings of a power sensor that an estimator can use. */
#ifndef PWRTRACE_READING_H
#define PWRTRACE_READING_H

#include "analyzer/model/source.h"

/* The standard deviation of a reading that is assumed before there are residuals: 1 % of it, as
 * vendors state of their sensors, and 0.2 % of the mean reading. */
#define READING_ERROR_PART 0.01
#define READING_ERROR_FLOOR 0.002

/* A reading as a power: of a gauge at time_ns, with since_ns = time_ns; of a counter the mean from
 * since_ns to time_ns, to which the response of the counter's rate belongs. */
struct power_reading {
	double time_ns;
	double since_ns;
	double length_ns; /* the time that it stands for */
	double power_w;
};

/* Readings that a fit does not use. */
struct readings_left_out {
	guint backwards;  /* of a counter that fell, or from which it fell back */
	guint impossible; /* of a gauge, or after which a counter had gained so much, as no device
			     draws */
	guint stalled;    /* of a sensor that stood still */
	guint asleep;     /* of a device that slept */
	guint limited;    /* of replays that a limit held back */
	guint saturated;  /* of a sensor whose highest value is ceiling_w */
	double ceiling_w;
};

/* The readings of a source that a fit can use (struct power_reading), in the order of time.
 * Readings outside the recording, that run backwards or stand still are left out and counted in
 * left_out (or NULL), as is the mean of a counter over a hole (curve.h).  The caller frees the
 * array. */
GArray *readings_of(const struct source *source, struct readings_left_out *left_out);

/* The assumed variance, in W², of a reading of power_w among readings with this mean. */
double reading_variance(double mean_w, double power_w);

#endif
