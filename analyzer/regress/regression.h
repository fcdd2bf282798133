/* SPDX-License-Identifier: MIT */
/* A fit while it is made: the equations of its readings, and the powers that solve them. */
#ifndef PWRTRACE_REGRESSION_H
#define PWRTRACE_REGRESSION_H

#include "analyzer/regress/fit.h"
#include "analyzer/regress/noise.h"
#include "analyzer/regress/normal.h"
#include "analyzer/response/prior.h"

/* More columns than this are too much work to do it again and again. */
#define REGRESSION_COLUMNS_FEW 400

/* What is known of powers before: the dynamic ones lie about the typical one, with a standard
 * deviation of spread_w, which is learnt and widest_w at most; the static one between nothing and
 * low_w, what is drawn least. */
struct power_prior {
	double typical_w, spread_w, widest_w, low_w;
};

struct regression {
	struct fit *fit;
	struct design *design;
	struct blocks blocks;
	struct normal_equations *folds[BLOCKS_FOLDS]; /* of the rows of each alone, with weight */
	double *weight, *residual_w;                  /* by row; the weight is 1 / variance */
	struct noise noise;
	struct noise_row *terms; /* by row */
	struct power_prior prior;
	double *prior_weight; /* by power */
};

void regression_begin(struct regression *regression, struct fit *fit, const struct model *model,
	const GArray *readings);
void regression_end(struct regression *regression);

/* Finds fit->power_w, the noise of the readings and how widely powers differ.  Returns false where
 * the equations cannot be solved. */
bool regression_solve(struct regression *regression);

/* Finds powers from the rows of all folds but one; REGRESSION_ALL: from all.  Sets the prior's
 * weights, too, by power.  Returns false where the equations cannot be solved. */
#define REGRESSION_ALL -1
bool regression_find_powers(
	const struct regression *regression, int without, double *prior_weight, double *power_w);

/* The same with the response and the influences that the fit has by now. */
bool regression_refit(
	struct regression *regression, const struct model *model, const GArray *readings);

/* Adds the prior to equations; its weights, which are on the diagonal, become weights. */
void regression_add_prior(
	const struct regression *regression, struct normal_equations *normal, double *weights);

/* The inverse of the equations, n × n, n being at least the number of powers: in its upper left, to
 * which the caller may add before solve_invert. */
void regression_add_normal(const struct regression *regression, double *matrix, size_t n);

#endif
