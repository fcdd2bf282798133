/* SPDX-License-Identifier: MIT */
/*
 * The variance that repetition hides.  Executions of a class differ by where in the program they
 * run: by their data, by what ran before, by the clock.  In a program that repeats itself the
 * sensor sees the same places again and again, so that these differences never average out; and
 * they do not show in residuals, as they bias the powers instead.
 */
#ifndef PWRTRACE_REPETITION_H
#define PWRTRACE_REPETITION_H

#include "analyzer/regress/joint.h"

/* Adds the variance of such differences to fit->covariance (section 7 of
 * analyzer/regress/README.md).  Readings that contain about the same executions, after about the
 * same others, share one difference, of 3 % of the power of a single execution. */
void repetition_add(struct regression *regression, const struct joint_fit *joint);

#endif
