/* SPDX-License-Identifier: MIT */
/* A fit while it is made: the equations of its readings, and the powers that solve them. */
#ifndef PWRTRACE_FITTING_H
#define PWRTRACE_FITTING_H

#include "analyzer/attr/fit.h"
#include "analyzer/attr/noise.h"
#include "analyzer/attr/normal.h"

/* More columns than this are too much work to do it again and again. */
#define FITTING_COLUMNS_FEW 400

struct fitting {
	struct fit *fit;
	struct design *design;
	struct normal *folds[FIT_FOLDS]; /* of the rows alone, with weight */
	double *weight, *residual_w;     /* by row; the weight is 1 / variance */
	struct noise noise;
	struct noise_row *terms; /* by row */
	struct normal_prior prior;
	double *prior_weight; /* by power */
};

void fitting_begin(struct fitting *fitting, struct fit *fit, const struct model *model,
	const GArray *readings);
void fitting_end(struct fitting *fitting);

/* Finds fit->power_w, the noise of the readings and how widely powers differ.  Returns false where
 * the equations cannot be solved. */
bool fitting_solve(struct fitting *fitting);

/* The inverse of the equations, n × n, n being at least the number of powers: in its upper left, to
 * which the caller may add before solve_invert. */
void fitting_add_equations(const struct fitting *fitting, double *matrix, size_t n);

/* Which block of time that is; its fold is this modulo FIT_FOLDS. */
guint fitting_block_at(const struct fitting *fitting, double time_ns);

/* How many degrees of freedom the residuals have at least. */
double fitting_freedom(const struct fitting *fitting);

#endif
