/* SPDX-License-Identifier: MIT */
/*
 * The power curve of a sensor: disjoint intervals of known energy, in the order of time.
 *
 * A power reading holds for the time since the reading before it; of an energy counter, the
 * difference of two readings is the energy of the time between them, to within a tick: of
 * readings within half of the period in which it ticks, one counts.  Where readings are more than
 * 2.5 times their usual distance apart there is a hole.  In a hole the energy of a power sensor is
 * not known.  That of a counter is, but not when it was drawn: such an interval is blurred.
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

/* Whether the energy that a counter gained from one reading to the next one can have been drawn: it
 * did not fall, and not so much that no device draws it (model.h). */
bool curve_counts(const struct model_reading *before, const struct model_reading *now);

/* Returns the intervals (struct curve_interval) of a sensor within a span; empty without readings.
 * Their energies add up to less than 2^64 nJ (18 GJ): what would go beyond is not known.  The
 * readings must be tidied (load/readings.h).  The caller frees the array. */
GArray *curve_of(const struct model_sensor *sensor, const struct model_span *span);

/* Removes from curve the times that are in other, with a proportional part of the energy, so that
 * two recordings of one sensor do not count energy twice. */
void curve_subtract(GArray *curve, const GArray *other);

/* Adds the times of its intervals, with or without blurred ones, to spans (struct model_span). */
void curve_add_spans(const GArray *curve, bool blurred, GArray *spans);

/* The usual time between readings: the median, or the sensor's stated period where there are fewer
 * than two readings; may be PWRTRACE_UNKNOWN_U64 then. */
uint64_t curve_period_ns(const struct model_sensor *sensor);

/* The longest time between readings that is not a hole. */
uint64_t curve_hole_ns(const struct model_sensor *sensor);

/* amount * part / whole, rounded down; 0 where whole is 0. */
uint64_t curve_share(uint64_t amount, uint64_t part, uint64_t whole);

#endif
