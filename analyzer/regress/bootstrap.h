/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_BOOTSTRAP_H
#define PWRTRACE_BOOTSTRAP_H

#include "analyzer/regress/covariance.h"
#include "analyzer/regress/regression.h"

/* Checks the covariance by a block bootstrap, which assumes nothing about the noise: powers are
 * estimated again from about so many blocks of time (scatter.h), drawn with replacement (Künsch,
 * "The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17,
 * 1989). sums: by column, what its classes draw; covariance: powers × powers, of that;
 * effective_blocks: by column (scatter.h).  Returns the median over the classes of the bootstrap's
 * standard deviation over that of the covariance; NaN where each class has too few blocks, or where
 * there are too many powers to estimate them again. */
double bootstrap_check(const struct regression *regression, guint blocks,
	const struct covariance_sums *sums, const double *covariance,
	const double *effective_blocks);

#endif
