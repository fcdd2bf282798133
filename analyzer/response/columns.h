/* SPDX-License-Identifier: MIT */
/*
 * Executions as the columns of a regression: each execution belongs to one column or to none.  This
 * is all that this room knows of classes (regress/design/classes.h).
 */
#ifndef PWRTRACE_COLUMNS_H
#define PWRTRACE_COLUMNS_H

#include "analyzer/model/model.h"
#include "analyzer/numeric/bisect.h"

#define COLUMNS_NONE UINT32_MAX
#define COLUMNS_FACTORS_MAX 4 /* influences in one fit: each costs a search */

struct columns {
	const struct model *model;
	struct model_span span; /* an execution outside belongs to no column */
	uint32_t count;
	uint32_t *of_origin;   /* by origin of an execution: its column, or COLUMNS_NONE */
	float *part_of_origin; /* by origin: what its executions draw, as a part of the column's
				* power; NULL: all of it */
	double *time_ns;       /* by column: sum of its executions' durations */
	double longest_ns;     /* of all these durations */
};

/* Influences on the power of executions (regress/design/influence.h): watts by execution of the
 * model, times a factor. */
struct column_factors {
	guint count;
	struct mapped_array *value_w[COLUMNS_FACTORS_MAX]; /* float; borrowed */
};

static inline double column_factor_w(const struct column_factors *factors, guint i, guint execution)
{
	const float *value_w = mapped_array_at(factors->value_w[i], execution);

	return *value_w;
}

/* Whether an execution ran within the span at all. */
static inline bool columns_reach(
	const struct columns *columns, const struct model_execution *execution)
{
	return execution->end_ns > MAX(execution->begin_ns, columns->span.begin_ns) &&
	       execution->begin_ns < columns->span.end_ns;
}

static inline uint32_t columns_find(
	const struct columns *columns, const struct model_execution *execution)
{
	return columns_reach(columns, execution) ? columns->of_origin[execution->origin]
						 : COLUMNS_NONE;
}

/* What an execution draws, as a part of its column's power. */
static inline double columns_part(
	const struct columns *columns, const struct model_execution *execution)
{
	return columns->part_of_origin ? columns->part_of_origin[execution->origin] : 1;
}

/* An execution from which on are all those of any column that end after a time. */
static inline guint columns_from(const struct columns *columns, double time_ns)
{
	return BISECT(i, 0, columns->model->executions->len,
		(double)model_execution_at(columns->model, i)->begin_ns >
			time_ns - columns->longest_ns);
}

#endif
