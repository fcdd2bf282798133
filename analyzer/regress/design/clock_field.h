/* SPDX-License-Identifier: MIT */
/*
 * The clock over time, told by how long executions took: an execution of a compute-bound class
 * takes as many cycles each time, so that those near each other in time are all faster or all
 * slower. Which classes these are, and how closely they follow, is found from the durations alone.
 */
#ifndef PWRTRACE_CLOCK_FIELD_H
#define PWRTRACE_CLOCK_FIELD_H

#include "analyzer/regress/design/classes.h"

struct clock_field;

/* The clock over the time in which the classes ran.  Returns NULL where no class tells it.  Both
 * are borrowed only for this call.  clock_field_free it; NULL is allowed. */
struct clock_field *clock_field_of(const struct model *model, const struct classes *classes);
void clock_field_free(struct clock_field *field);

/* The logarithm of the mean clock while an execution runs, as a part of the run's mean clock: 0
 * where nothing tells it. */
double clock_field_log(const struct clock_field *field, const struct model_execution *execution);

/* How closely the durations of a class (an index in classes->list) follow the clock: 0 not at all,
 * 1 inversely, as those of compute-bound ones do. */
double clock_field_follows(const struct clock_field *field, guint class_index);

#endif
