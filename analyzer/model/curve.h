/* SPDX-License-Identifier: MIT */
/*
 * Power over time, as one sensor measured it: intervals of known energy, in order and disjoint.
 *
 * A power_sample stands for the time since the sample before it, an energy_counter for the
 * difference to the reading before.  A distance of more than 2.5 times the sensor's usual one is a
 * hole.  What a power sensor did not see is not known; the energy that a counter gained over a
 * hole is, but not when it was drawn: such an interval is blurred.
 */
#ifndef PWRTRACE_CURVE_H
#define PWRTRACE_CURVE_H

#include "analyzer/model/model.h"

struct curve_interval {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t energy_nj;
	bool blurred;
};

/* Returns the intervals (struct curve_interval) of a sensor, whose readings are tidy (readings.h),
 * within its recording's span; empty without readings.  The caller frees the array. */
GArray *curve_of(const struct model_sensor *sensor, const struct model_span *span);

/* Removes from curve the time that other covers already, with its part of the energy, so that two
 * recordings of one sensor count no joule twice. */
void curve_subtract(GArray *curve, const GArray *other);

/* The sensor's usual distance between readings: their median, else what it says of itself. */
uint64_t curve_period_ns(const struct model_sensor *sensor);

/* The longest distance that is no hole. */
uint64_t curve_hole_ns(const struct model_sensor *sensor);

/* part of whole, of an amount, rounded down. */
uint64_t curve_share(uint64_t amount, uint64_t part, uint64_t whole);

#endif
