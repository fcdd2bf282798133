/* SPDX-License-Identifier: MIT */
/*
 * What ran, on a grid of time: a quick approximation of the design, by which many responses can be
 * tried.  Columns share slots; a slot adds up its columns' time, each by its weight.
 */
#ifndef PWRTRACE_ACTIVITY_H
#define PWRTRACE_ACTIVITY_H

#include "analyzer/response/columns.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

/* Bins of a stretch of time without holes that nothing is asked of. */
struct activity_run {
	double begin_ns;
	guint first, end; /* bins */
};

struct activity {
	double bin_ns;
	guint bins, slots;
	GArray *runs;  /* struct activity_run, in the order of time */
	double *below; /* [bins + 1][slots]: weighted ns up to the bin */
};

/* What goes where: columns into the first slots, by slot_of (NULL: one slot), each by its weight_of
 * (NULL: 1).  Factors have the slots after those, by their watts; where what they are is known,
 * they have none and add to the weight of each execution. */
struct activity_plan {
	guint slots;
	const uint32_t *slot_of;
	const double *weight_of;
	struct column_factors factors;
	const double *factor; /* what they are; NULL: not known */
};

/* For so many readings, as far back as reach_ns. */
struct activity *activity_make(const struct columns *columns, const struct power_reading *readings,
	guint rows, double reach_ns, double bin_ns, const struct activity_plan *plan);
void activity_free(struct activity *activity);

/* One slot, the sum of all slots of activity times their weights; activity_free it. */
struct activity *activity_weighted(const struct activity *activity, const double *weight);

/* Adds factor times what a reading would see of each slot: its part, or with weights in watts its
 * power. */
void activity_add_parts(const struct activity *activity, const struct response *response,
	const struct power_reading *reading, double factor, double *parts);

/* The same of readings by responses of any shape, exactly: the tail goes through all bins at once.
 */
struct activity_view {
	const struct activity *activity; /* borrowed */
	struct activity *smeared;        /* behind a filter of first order of tail_ns */
	double tail_ns;
};

void activity_view_begin(struct activity_view *view, const struct activity *activity);
void activity_view_end(struct activity_view *view);

/* Sets parts, stride doubles from one reading to the next. */
void activity_view_parts(struct activity_view *view, const struct response_shape *shape,
	const struct power_reading *readings, guint rows, guint stride, double *parts);

#endif
