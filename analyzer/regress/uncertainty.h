/* SPDX-License-Identifier: MIT */
/* The covariance of a fit. */
#ifndef PWRTRACE_UNCERTAINTY_H
#define PWRTRACE_UNCERTAINTY_H

#include "analyzer/regress/joint.h"

/*
 * Sets fit->covariance and all that is computed from it (section 7 of analyzer/regress/README.md).
 * It is that of the posterior of the powers and the response's parameters, widened for
 * overdispersion by the ratio of the jackknife's variance (jackknife.h) to the one that the noise
 * explains, equation (15): a class's own ratio counts with its degrees of freedom, the median over
 * the classes as 10.  The prior's part is not widened.  What repetition.h and drawn_responses.h
 * tell is added.
 */
void fit_set_covariance(
	struct regression *regression, struct joint_fit *joint, const struct model *model);

/* The mean of these ratios over the classes' energies, where there are enough stretches, else as
 * the autocorrelation of the residuals tells; 1 or more. */
double fit_overdispersion(struct regression *regression, struct joint_fit *joint);

#endif
