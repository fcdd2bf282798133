/* SPDX-License-Identifier: MIT */
/* The covariance of a fit. */
#ifndef PWRTRACE_UNCERTAINTY_H
#define PWRTRACE_UNCERTAINTY_H

#include "analyzer/regress/joint.h"

/*
 * Sets fit->covariance and all that is computed from it (section 7 of README.md).  It is that of
 * the posterior of the powers and the response's parameters, widened for overdispersion: for
 * residuals that are correlated in time, or whose variance is not the assumed one. That is measured
 * by the variance of the sums of scores over blocks of a sixtieth of the time, ten seconds at most
 * (Liang and Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73,
 * 1986).  That variance is itself uncertain, most of all where a class runs in few blocks.  So the
 * median over the classes is used for all, and a class's own only where it differs by more than
 * chance.
 */
void fit_set_covariance(
	struct regression *regression, struct joint_fit *joint, const struct model *model);

#endif
