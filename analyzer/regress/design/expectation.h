/* SPDX-License-Identifier: MIT */
/* What is expected of powers before any reading: by size (size_prior.h), or by counters
 * (utilization_power.h). */
#ifndef PWRTRACE_EXPECTATION_H
#define PWRTRACE_EXPECTATION_H

#include "analyzer/regress/design/classes.h"

/* As a part of the mean power of the busy time, and its standard deviation in the same unit.  mean
 * 0: nothing is known. */
struct expectation {
	double mean, deviation;
};

/* Brings expectations of any one unit, by column of the classes, into that unit: the mean over the
 * time of the classes of which something is known becomes 1. */
void expectations_scale(struct expectation *expected, const struct classes *classes);

#endif
