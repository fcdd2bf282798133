/* SPDX-License-Identifier: MIT */
/*
 * How well a response explains readings: an approximate fit that is quick enough to try hundreds of
 * responses.  Executions are kept on a grid of time, and columns share slots, each of which has one
 * power.
 */
#ifndef PWRTRACE_TRIAL_H
#define PWRTRACE_TRIAL_H

#include "analyzer/response/activity.h"
#include "analyzer/response/find.h"

#define TRIAL_WINDOW_LEAST 0.01 /* periods: a filter's window, as good as none */
#define TRIAL_TAIL_MOST 2.      /* periods */
#define TRIAL_ROWS_ROUGH 500    /* readings of a rough trial */

struct trial {
	GArray *readings;            /* struct power_reading */
	guint rows, slots, unknowns; /* slots of the columns; they and all others */
	double prior_mean,
		prior_sigma; /* of a slot's power, or of its factor where powers are known */
	struct activity *activity;
	struct activity_view view;
	double period_ns, low_w, high_w; /* without outliers (prior.h) */
	double *weight;                  /* by row: 1 / variance */
	double *parts;                   /* [rows][unknowns]: the design matrix of the last shape */
	double *matrix; /* unknowns × unknowns, upper triangle: its normal matrix */
	double *x;      /* unknowns: its solution */
	bool counter;
};

/* Copies some of the input's readings, about the begin and the end of all work and from its middle.
 * A rough trial takes few, and a coarse grid.  earlier may be NULL.  trial_end frees what it holds.
 */
void trial_begin(struct trial *trial, const struct find_input *input, bool rough,
	const struct earlier_fit *earlier);
void trial_end(struct trial *trial);

/* Whether a shape is within the bounds of the search. */
bool trial_allows(const struct trial *trial, const struct response_shape *shape);

/* The misfit of a shape, F in equation (6) of analyzer/regress/README.md: the weighted sum of
 * squared residuals with the best powers and of the prior's part, times what integrating over all
 * powers makes of it.  Sets parts, matrix and x. */
double trial_misfit(struct trial *trial, const struct response_shape *shape);

/* The residual of a row with the last shape, in W. */
double trial_residual_w(const struct trial *trial, guint row);

/* The sum of trial_misfit over several trials. */
double trials_misfit(struct trial *trials, guint count, const struct response_shape *shape);

/* Descends by Gauss-Newton steps from a shape to a nearby minimum of trials_misfit, in which only
 * the free parameters change.  Returns the misfit. */
double trials_descend(struct trial *trials, guint count, const bool free[SHAPE_PARAMETERS],
	guint steps, struct response_shape *shape);

#endif
