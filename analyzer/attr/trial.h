/* SPDX-License-Identifier: MIT */
/*
 * How well a response explains readings: a quick approximation of a fit, by which hundreds can be
 * tried.  What ran is kept on a grid of time, and columns share slots.
 */
#ifndef PWRTRACE_TRIAL_H
#define PWRTRACE_TRIAL_H

#include "analyzer/attr/activity.h"
#include "analyzer/attr/identify.h"

struct trial {
	const struct design_reading *readings;
	guint rows, slots, unknowns;    /* slots: of the classes */
	double prior_mean, prior_sigma; /* of a slot's power, or of its part of what is known */
	struct activity *activity, *smeared;
	double smeared_ns; /* by what tail */
	double period_ns, low_w;
	double *weight; /* by row: 1 / variance */
	double *parts;  /* [rows][unknowns]: of the shape that was tried last */
	bool counter;
};

/* Of the rows in the middle of readings, which are borrowed; earlier may be NULL. */
void trial_begin(struct trial *trial, const struct model *model, const struct classes *classes,
	const struct model_sensor *sensor, const GArray *readings, guint rows,
	const struct identify_earlier *earlier);
void trial_end(struct trial *trial);

/* The weighted squares that the best powers leave; left, unless NULL, becomes what is left of each
 * row, in its standard deviations. */
double trial_squares(struct trial *trial, const struct response_shape *shape, double *left);

#endif
