/* SPDX-License-Identifier: MIT */
/* How far a fit may be off. */
#ifndef PWRTRACE_UNCERTAINTY_H
#define PWRTRACE_UNCERTAINTY_H

#include "analyzer/regress/joint.h"

/*
 * Sets fit->covariance and what goes with it.  It is that of the posterior, in which the sensor's
 * lag and width are not known either, widened for residuals that are correlated in time or grow
 * with what runs: by the variance of the sums of scores over blocks of a sixtieth of the time,
 * ten seconds at most (Liang and Zeger, "Longitudinal data analysis using generalized linear
 * models", Biometrika 73, 1986).  That variance is itself uncertain, most of all where a class runs
 * in few blocks; so what counts is the middle of the classes that many blocks tell of, and
 * its own for a class only where the difference cannot be chance.  joint is used up.
 */
void fit_set_covariance(struct regression *regression, struct joint_fit *joint,
	const struct model *model, const GArray *readings);

#endif
