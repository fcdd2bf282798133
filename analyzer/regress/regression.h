/* SPDX-License-Identifier: MIT */
/* The weighted least squares problem of a fit while it is made: its design matrix, the noise and
 * the weights of its readings, and the prior of its powers. */
#ifndef PWRTRACE_REGRESSION_H
#define PWRTRACE_REGRESSION_H

#include "analyzer/regress/design/noise.h"
#include "analyzer/regress/fit.h"
#include "analyzer/regress/normal.h"
#include "analyzer/regress/offsets.h"
#include "analyzer/response/prior.h"

/* With more columns than this, nothing is repeated: a solution takes seconds. */
#define REGRESSION_COLUMNS_FEW 400

/* The prior of the powers, equation (8) of analyzer/regress/README.md.  The dynamic ones are normal
 * about typical_w with a standard deviation of widest_w, or where fit_expects about what
 * fit->expected tells; these are multiplied by spread, which is learnt, and are at most widest_w.
 * The static one is normal about static_w with half of low_w, the least power of the readings. */
struct power_prior {
	double typical_w, spread, widest_w, static_w, low_w;
	bool fit_expects; /* readings of an idle device tell what running adds */
};

struct regression {
	struct fit *fit;
	struct design *design;
	struct blocks blocks;
	struct normal_equations *folds[BLOCKS_FOLDS]; /* weighted, of the rows of each fold alone */
	double *weight, *residual_w;                  /* by row; the weight in W^-2, equation (9) */
	struct offsets offsets;                       /* eliminated from the folds */
	struct noise noise;
	struct noise_row *terms; /* by row: of its variance */
	struct power_prior prior;
	double *prior_weight; /* by power, in W^-2: the diagonal of Lambda */
};

/* Sets up a problem from readings (struct power_reading), which are borrowed, with the response and
 * the influences of the fit.  regression_end it. */
void regression_begin(struct regression *regression, struct fit *fit, const struct model *model,
	const GArray *readings);
void regression_end(struct regression *regression);

/* Estimates fit->power_w, the noise of the readings and the spread of the powers in turn.  Returns
 * false where the equations cannot be solved. */
bool regression_solve(struct regression *regression);

/* Estimates the powers from the rows of all folds but one; of all folds with REGRESSION_ALL, and
 * from what is known before any reading with REGRESSION_NONE.  Sets prior_weight and power_w, one
 * element for each power.  Returns false where the equations cannot be solved. */
#define REGRESSION_ALL -1  /* no fold is left out */
#define REGRESSION_NONE -2 /* all folds are */
bool regression_find_powers(
	const struct regression *regression, int without, double *prior_weight, double *power_w);

/* Whether the powers leave anything to explain: the readings vary, and the residuals are more than
 * rounding. */
bool regression_any_left(const struct regression *regression);

/* The degrees of freedom of the residuals.  A power takes one at most; where powers are many, their
 * effective number is computed, which takes an inverse. */
double regression_freedom(const struct regression *regression);

/* Sets fit->power_w to what is known before any reading.  Returns false where the equations cannot
 * be solved. */
bool regression_expect(struct regression *regression);

/* Sets fit->prior, and compares what is remembered with what was found. */
void regression_keep_prior(const struct regression *regression);

/* Sets the problem up anew, with the response and the influences that the fit has by now, and
 * solves it. */
bool regression_refit(
	struct regression *regression, const struct model *model, const GArray *readings);

/* The prior of a class's dynamic power, besides what is remembered of it. */
struct class_prior regression_class_prior(const struct regression *regression, size_t column);

/* Adds the prior and what is remembered to normal equations, and stores the prior's weights (the
 * diagonal of Lambda) in weights. */
void regression_add_prior(
	const struct regression *regression, struct normal_equations *normal, double *weights);

/* Adds the normal matrix, with the prior and what is remembered, to the upper left corner of an n ×
 * n matrix, where n is at least the number of powers: what solve_invert makes a covariance of. */
void regression_add_normal(const struct regression *regression, double *matrix, size_t n);

#endif
