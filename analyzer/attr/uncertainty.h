/* SPDX-License-Identifier: MIT */
/* The parts of a fit while it is made. */
#ifndef PWRTRACE_UNCERTAINTY_H
#define PWRTRACE_UNCERTAINTY_H

#include "analyzer/attr/fit.h"
#include "analyzer/attr/normal.h"

struct fitting {
	struct fit *fit;
	struct design *design;
	struct normal *folds[FIT_FOLDS]; /* of the rows alone, with weight */
	double *weight, *residual_w;     /* by row */
	double *prior;
	double *first_w; /* the powers by other weights: alike where the model is right */
	double floor_w, low_w, typical_w;
	double scale; /* of the weights, after what the residuals say */
};

/* Which block of time that is; its fold is this modulo FIT_FOLDS. */
guint fit_block_at(const struct fitting *fitting, double time_ns);

/*
 * Sets fit->covariance and what goes with it.  It is that of the posterior, in which the sensor's
 * lag and width are not known either, widened for residuals that are correlated in time or grow
 * with what runs: by the variance of the sums of scores over stretches of a sixtieth of the time,
 * ten seconds at most (Liang and Zeger, "Longitudinal data analysis using generalized linear
 * models", Biometrika 73, 1986).  Where powers depend on more than the class, other weights give
 * other powers; the difference is added, too (after Hausman, "Specification tests in econometrics",
 * Econometrica 46, 1978).  Returns false where the equations have no inverse.
 */
bool fit_set_covariance(struct fitting *fitting, const struct model *model);

/* Sets fit->heldout and fit->blocks. */
void fit_hold_out(struct fitting *fitting, const struct model *model);

#endif
