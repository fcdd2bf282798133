/* SPDX-License-Identifier: MIT */
/*
 * What repetition hides.  Executions of a class differ by where they run: by their data, by what
 * ran before, by the clock.  A program that repeats itself shows its sensor the same places over
 * and over, so this never averages out, and no residual tells, for the powers take it in.
 */
#ifndef PWRTRACE_REPETITION_H
#define PWRTRACE_REPETITION_H

#include "analyzer/regress/nuisance.h"

/*
 * Adds to fit->covariance what such differences contribute: readings that see about the same,
 * after about the same, share them, by as many executions of a class as they see (3 % of the power
 * of each).
 * lines: n × n, by how much a score of the powers and nuisances, of which there are n, moves each;
 * overwritten.
 */
void repetition_add(
	struct fitting *fitting, const struct nuisances *nuisances, double *lines, size_t n);

#endif
