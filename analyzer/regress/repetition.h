/* SPDX-License-Identifier: MIT */
/*
 * What repetition hides.  Executions of a class differ by where they run: by their data, by what
 * ran before, by the clock.  A program that repeats itself shows its sensor the same places over
 * and over, so this never averages out, and no residual tells, for the powers take it in.
 */
#ifndef PWRTRACE_REPETITION_H
#define PWRTRACE_REPETITION_H

#include "analyzer/regress/joint.h"

/* Adds to fit->covariance what such differences contribute: readings that see about the same, after
 * about the same, share them, by as many executions of a class as they see (3 % of the power of
 * each). */
void repetition_add(struct regression *regression, const struct joint_fit *joint);

#endif
