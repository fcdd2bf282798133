/* SPDX-License-Identifier: MIT */
/* What grid, duration and kind of a kernel tell of its dynamic power before any reading: equation
 * (8c) of analyzer/regress/README.md, with the coefficients of size_prior.def. */
#ifndef PWRTRACE_SIZE_PRIOR_H
#define PWRTRACE_SIZE_PRIOR_H

#include "analyzer/regress/design/expectation.h"

/* By column of the classes; the caller frees it.  Nothing is known of copies, graphs, rare classes
 * and devices that size_prior.def has not. */
struct expectation *size_priors_of(const struct model *model, const struct classes *classes);

#endif
