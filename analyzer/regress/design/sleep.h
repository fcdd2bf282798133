/* SPDX-License-Identifier: MIT */
/*
 * When a device was asleep: nothing ran, and its clock was below half of the highest one.  An H200
 * then draws 78 W, and 130 W while it waits awake: one static power cannot stand for both.
 */
#ifndef PWRTRACE_SLEEP_H
#define PWRTRACE_SLEEP_H

#include "analyzer/regress/design/design.h"

struct sleep {
	GArray *spans;  /* struct model_span, in the order of time */
	guint readings; /* the number of those that saw nothing but sleep */
	double power_w; /* mean of these */
};

/* readings: struct power_reading.  Returns NULL where too few readings saw sleep, or where the
 * trace has no clocks.  sleep_free it. */
struct sleep *sleep_of(
	const struct model *model, const struct source *source, const GArray *readings);
void sleep_free(struct sleep *sleep);

/* How long the device slept between two times, in ns; sleep may be NULL. */
uint64_t sleep_within(const struct sleep *sleep, uint64_t begin_ns, uint64_t end_ns);

#endif
