/* SPDX-License-Identifier: MIT */
/*
 * The joint estimate of the powers and the response.  The powers are solved with the response
 * fixed; the nuisance parameters (nuisance.h) are then moved together with them by Gauss-Newton
 * steps, equation (7) of analyzer/regress/README.md, so that the estimate is the maximum that its
 * covariance belongs to.
 */
#ifndef PWRTRACE_JOINT_H
#define PWRTRACE_JOINT_H

#include "analyzer/regress/nuisance.h"

struct joint_fit {
	size_t n; /* powers and nuisance parameters */
	struct nuisances nuisances;
	double *inverse;         /* n × n: the covariance of the posterior */
	double *prior;           /* n: the prior's weights, the diagonal of Lambda */
	double moved[NUISANCES]; /* of the response so far, in units of nuisance.h */
};

/* Moves the response of a solved regression, and the powers with it, to the maximum of their joint
 * posterior.  Returns false where the equations cannot be solved.  joint_clear it either way. */
bool joint_solve(struct joint_fit *joint, struct regression *regression, const struct model *model,
	const GArray *readings);
void joint_clear(struct joint_fit *joint);

/* Variance inflation factors (Belsley, Kuh and Welsch, "Regression Diagnostics", 1980, chapter 3)
 * by power: the posterior's variance over the one that the readings would leave if all else were
 * known, which is 1 / the diagonal of their normal matrix.  Below 1 where the prior, which is not
 * in that matrix, weighs more than the readings.  g_free it. */
double *joint_vif(const struct joint_fit *joint, const struct regression *regression);

/* Sets the equivalent window and lag of the response and their 95 % intervals, whose variances are
 * multiplied by inflation. */
void joint_set_estimates(const struct joint_fit *joint, struct fit *fit, double inflation);

#endif
