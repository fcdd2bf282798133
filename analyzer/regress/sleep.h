/* SPDX-License-Identifier: MIT */
/*
 * When a device slept: nothing ran, and its clock was below half of the highest seen.  An H200
 * draws 78 W then and 130 W while it waits awake, so that one static power cannot stand for both.
 */
#ifndef PWRTRACE_SLEEP_H
#define PWRTRACE_SLEEP_H

#include "analyzer/regress/design.h"

struct sleep {
	GArray *spans;  /* struct model_span, in the order of time */
	guint readings; /* of sleep alone */
	double power_w; /* their mean */
};

/* readings: struct power_reading.  Returns NULL where the device did not sleep long enough to know
 * its power, or where the trace does not tell; sleep_free it. */
struct sleep *sleep_of(
	const struct model *model, const struct source *source, const GArray *readings);
void sleep_free(struct sleep *sleep);

/* For how much of a time it slept, in ns. */
double sleep_within(const struct sleep *sleep, double begin_ns, double end_ns);

/* Takes the readings out that have seen sleep, and returns how many. */
guint sleep_leave_out(const struct sleep *sleep, GArray *readings);

#endif
