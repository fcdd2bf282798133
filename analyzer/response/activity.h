/* SPDX-License-Identifier: MIT */
/*
 * Executions on a grid of time: an approximation of the design matrix that is quick enough to try
 * many responses.  Columns share slots; a slot is the sum of its columns' time, each with its
 * weight.
 */
#ifndef PWRTRACE_ACTIVITY_H
#define PWRTRACE_ACTIVITY_H

#include "analyzer/response/columns.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

/* Bins of a time without holes: between runs no reading depends on what ran. */
struct activity_run {
	double begin_ns;
	guint first, end; /* bins */
};

struct activity {
	double bin_ns;
	guint bins, slots;
	GArray *runs;  /* struct activity_run, in the order of time */
	double *below; /* [bins + 1][slots]: weighted ns before each bin */
};

/* What the slots are: first those of the columns, by slot_of (NULL: all in one) with weight_of
 * (NULL: 1); then one for each influence, in its watts.  Where the factors of influences are known,
 * these have no slots and add to the weights of executions instead. */
struct activity_plan {
	guint slots;
	const uint32_t *slot_of;
	const double *weight_of;
	struct column_factors factors;
	const double *factor; /* of the influences; NULL: not known */
};

/* Builds it for readings whose response reaches back by reach_ns.  All is borrowed while it runs.
 * activity_free it. */
struct activity *activity_make(const struct columns *columns, const struct power_reading *readings,
	guint rows, double reach_ns, double bin_ns, const struct activity_plan *plan);
void activity_free(struct activity *activity);

/* An activity of one slot: the weighted sum of all slots.  activity_free it. */
struct activity *activity_weighted(const struct activity *activity, const double *weight);

/* Of an activity of one slot: another, whose part in a reading is the mean square of the power
 * (where weights are watts) that the reading sees, as means over bins.  activity_free it. */
struct activity *activity_squared(const struct activity *activity);

/* Adds factor times the part of each slot in a reading (its power, where weights are watts) to
 * parts, one element for each slot. */
void activity_add_parts(const struct activity *activity, const struct response *response,
	const struct power_reading *reading, double factor, double *parts);

/* The same for responses of any shape: the tail is applied exactly, to all bins at once. */
struct activity_view {
	const struct activity *activity; /* borrowed */
	float *held; /* [bins + 1][slots]: ns in a filter of first order with tail_ns, at each bin's
			begin */
	guint done;  /* bins of it */
	double tail_ns;
	float stays;  /* the part of what the filter holds that is still in it a bin later */
	double taken; /* the part of a bin's time that is in it at the bin's end */
};

void activity_view_begin(struct activity_view *view, const struct activity *activity);
void activity_view_end(struct activity_view *view);

/* Sets parts, the slots of a reading every stride elements. */
void activity_view_parts(struct activity_view *view, const struct response_shape *shape,
	const struct power_reading *readings, guint rows, guint stride, double *parts);

#endif
