/* SPDX-License-Identifier: MIT */
/*
 * Powers and response together.  Powers are solved with the response as it is; what is not known of
 * it (nuisance.h) is then fitted beside them, by steps of Gauss and Newton, so that the estimate is
 * where its covariance says.
 */
#ifndef PWRTRACE_JOINT_H
#define PWRTRACE_JOINT_H

#include "analyzer/regress/nuisance.h"

struct joint_fit {
	size_t n; /* powers and nuisances */
	struct nuisances nuisances;
	double *inverse;         /* n × n: the covariance of the posterior */
	double *prior;           /* by power and nuisance: weights, as on the diagonal */
	double moved[NUISANCES]; /* how far the response has been, in periods */
};

/* Moves the response of a fit that is solved, and the powers with it, to where both are most likely
 * together.  Returns false where the equations cannot be solved.  joint_clear it either way. */
bool joint_solve(struct joint_fit *joint, struct regression *regression, const struct model *model,
	const GArray *readings);
void joint_clear(struct joint_fit *joint);

/* Variance inflation factors (Belsley, Kuh and Welsch, "Regression Diagnostics", 1980, chapter 3)
 * by power: the posterior's variance as a multiple of what the readings alone would leave if all
 * else were known, which is 1 / the diagonal of their equations.  Below 1 where the prior, which is
 * not among these, says more than they do.  g_free it. */
double *joint_vif(const struct joint_fit *joint, const struct regression *regression);

/* Sets what is known of the response's window and lag, with variances inflated so. */
void joint_set_estimates(const struct joint_fit *joint, struct fit *fit, double inflation);

#endif
