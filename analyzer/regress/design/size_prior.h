/* SPDX-License-Identifier: MIT */
/* What grid, duration and kind of a kernel tell of its dynamic power before any reading: equation
 * (8c) of analyzer/regress/README.md, with the coefficients of size_prior.def. */
#ifndef PWRTRACE_SIZE_PRIOR_H
#define PWRTRACE_SIZE_PRIOR_H

#include "analyzer/regress/design/expectation.h"

/* What a launch says of its kernel, and how long the kernel runs. */
struct kernel_size {
	const char *name;       /* as the compiler mangled it */
	const uint64_t *global; /* [3]: its work-items */
	const uint32_t *local;  /* [3]: those of a work-group */
	double length_ns;       /* of an execution */
};

/* As a part of what a long kernel that fills the device draws.  mean 0: size_prior.def has not the
 * device, or it is not known how many compute units that has. */
struct expectation size_prior_of(const struct model_gpu *gpu, const struct kernel_size *size);

/* By column of the classes; the caller frees it.  Nothing is known of copies, graphs, rare classes
 * and devices that size_prior.def has not. */
struct expectation *size_priors_of(const struct model *model, const struct classes *classes);

#endif
