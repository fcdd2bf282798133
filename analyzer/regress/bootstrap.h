/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_BOOTSTRAP_H
#define PWRTRACE_BOOTSTRAP_H

#include "analyzer/regress/fitting.h"

/* What classes draw, as sums of powers: of their own and, by their shares, of the last ones, which
 * all share.  Borrowed. */
struct bootstrap_sums {
	const double *shares; /* columns × shared */
	size_t shared;
	const double *telling; /* by column: how many stretches of time tell of it */
};

/* A check of fit->covariance that assumes nothing of the noise: powers are found again from
 * about so many stretches of time (scatter.h) that are drawn with replacement (Künsch, "The
 * jackknife and the bootstrap for general stationary observations", Annals of Statistics 17, 1989).
 * Returns how wide that has the interval of the middle class, as a part of what it is; NaN where
 * too few stretches tell of any class, or where there are too many powers to find them again. */
double bootstrap_check(
	const struct fitting *fitting, guint stretches, const struct bootstrap_sums *sums);

#endif
