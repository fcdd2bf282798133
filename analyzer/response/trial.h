/* SPDX-License-Identifier: MIT */
/*
 * How well a response explains readings: a quick approximation of a fit, by which hundreds can be
 * tried.  What ran is kept on a grid of time, and columns share slots.
 */
#ifndef PWRTRACE_TRIAL_H
#define PWRTRACE_TRIAL_H

#include "analyzer/response/activity.h"
#include "analyzer/response/find.h"

#define TRIAL_WINDOW_LEAST 0.01 /* periods */
#define TRIAL_TAIL_MOST 2.

struct trial {
	GArray *readings;               /* struct power_reading */
	guint rows, slots, unknowns;    /* slots: of the classes */
	double prior_mean, prior_sigma; /* of a slot's power, or of its part of what is known */
	struct activity *activity;
	struct activity_view view;
	double period_ns, low_w, high_w; /* of the readings, but for outliers */
	double *weight;                  /* by row: 1 / variance */
	double *parts;                   /* [rows][unknowns]: of the shape that was tried last */
	double *matrix; /* unknowns × unknowns, upper triangle: the equations of that shape */
	double *x;      /* unknowns: what solves them */
	bool counter;
};

/* Copies so many of the input's readings: those where work starts and stops, and those in the
 * middle of it. earlier may be NULL. */
void trial_begin(struct trial *trial, const struct find_input *input, guint rows,
	const struct earlier_fit *earlier);
void trial_end(struct trial *trial);

/* Whether a shape is among those that are tried. */
bool trial_allows(const struct trial *trial, const struct response_shape *shape);

/* The weighted squares that the best powers leave. */
double trial_squares(struct trial *trial, const struct response_shape *shape);

/* What the powers of the shape that was tried last leave of a row, in W. */
double trial_left_w(const struct trial *trial, guint row);

/* The same of some trials together. */
double trials_squares(struct trial *trials, guint count, const struct response_shape *shape);

/* From a shape downhill, by steps of Gauss and Newton, to one next to it that leaves the least
 * squares in all of some trials; of its parameters those with free are changed.  Returns the
 * squares. */
double trials_descend(struct trial *trials, guint count, const bool free[SHAPE_PARAMETERS],
	guint steps, struct response_shape *shape);

#endif
