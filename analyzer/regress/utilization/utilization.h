/* SPDX-License-Identifier: MIT */
/*
 * How busy each class keeps the parts of its device, from counters that were sampled beside it
 * (record --counters): equation (8d) of analyzer/regress/README.md.
 */
#ifndef PWRTRACE_UTILIZATION_H
#define PWRTRACE_UTILIZATION_H

#include "analyzer/regress/design/classes.h"
#include "pwrtrace/parts.h"

struct utilization {
	const char *uuid; /* of the device; the model's */
	uint32_t columns;
	guint readings;                   /* of each part that are used */
	double *share[PWRTRACE_PARTS];    /* by column of the classes, 0 to 1; NULL: not counted */
	double noise[PWRTRACE_PARTS];     /* standard deviation of a reading of it */
	double explained[PWRTRACE_PARTS]; /* of the readings' variance, 0 to 1 */
	double typical[PWRTRACE_PARTS];   /* root of the mean of squares of its shares over time */
	double *edge; /* by column: how uncertain the ends of an execution are, as a part of it */
	double *inverse; /* columns × columns: the covariance is noise² times this */
};

/* NULL: no counters of the one device that the source covers, or too few readings. utilization_free
 * it. */
struct utilization *utilization_of(
	const struct model *model, const struct source *source, const struct classes *classes);
void utilization_free(struct utilization *utilization);

/* For how long parts were busy in the time in which they were counted. */
struct utilization_sum {
	double time_ns[PWRTRACE_PARTS], busy_ns[PWRTRACE_PARTS], variance_ns2[PWRTRACE_PARTS];
};

/* Adds times of columns, time_ns each: all of one device at once, as their errors have a
 * covariance, while those of different devices are independent. */
void utilization_add(const struct utilization *utilization, const uint32_t *column,
	const double *time_ns, guint count, struct utilization_sum *sum);

/* A mean share of a part, and its standard deviation; NaN where it is not known. */
struct utilization_share {
	double mean, deviation;
};

struct utilization_share utilization_share_of(
	const struct utilization_sum *sum, enum pwrtrace_part part);

#endif
