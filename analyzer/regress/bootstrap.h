/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_BOOTSTRAP_H
#define PWRTRACE_BOOTSTRAP_H

#include "analyzer/regress/covariance.h"
#include "analyzer/regress/regression.h"

/* A check of the covariance that assumes nothing of the noise: powers are found again from about so
 * many blocks of time (scatter.h) that are drawn with replacement (Künsch, "The jackknife and
 * the bootstrap for general stationary observations", Annals of Statistics 17, 1989). sums: by
 * column, what its classes draw; covariance: powers × powers, of that; effective_blocks: by column,
 * how many blocks tell of it. Returns how wide that has the interval of the middle class, as a part
 * of what it is; NaN where too few blocks tell of any class, or where there are too many powers to
 * find them again. */
double bootstrap_check(const struct regression *regression, guint blocks,
	const struct covariance_sums *sums, const double *covariance,
	const double *effective_blocks);

#endif
