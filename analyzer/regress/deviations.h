/* SPDX-License-Identifier: MIT */
/*
 * The variance that replays hide.  Replayed alone, a kernel draws another power than beside others,
 * and what replays differ by in the mean is all that the readings of a program tell: each kernel
 * deviates from that by a part of its own power, which biases the powers and does not show in
 * residuals.  Nor does a static power that drifts while a replay lasts, where at one end of it the
 * kernel runs for less of the time than at the other.
 */
#ifndef PWRTRACE_DEVIATIONS_H
#define PWRTRACE_DEVIATIONS_H

#include "analyzer/regress/joint.h"

/* Sets fit->trust: where durations say that a replay deviates by much, its readings weigh less, so
 * that they tell the power no better than by that deviation.  Leaves it NULL where none does. */
void deviations_weigh(const struct regression *regression, const struct model *model);

/* Adds the variance of such deviations to fit->covariance (section 7 of
 * analyzer/regress/README.md). */
void deviations_add(const struct regression *regression, const struct joint_fit *joint,
	const struct model *model);

#endif
