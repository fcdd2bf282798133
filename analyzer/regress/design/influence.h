/* SPDX-License-Identifier: MIT */
/*
 * Influences: what the power of an execution depends on besides its class, as how long the device
 * had idled, what ran before, the clock, a limit.  An influence is one more column of a fit,
 * equation (12) of analyzer/regress/README.md: its values are watts by execution, computed from the
 * classes' powers, and the fit estimates its factor.
 */
#ifndef PWRTRACE_INFLUENCE_H
#define PWRTRACE_INFLUENCE_H

#include "analyzer/regress/design/clock_field.h"
#include "analyzer/store/mapped_array.h"

#define INFLUENCES_MAX 40 /* at least all parameters of all kinds */
#define INFLUENCES_CHOSEN_MAX COLUMNS_FACTORS_MAX

struct influence;

struct influence_kind {
	const char *name;
	const char *help; /* after "power depends on" */
	const char *unit; /* after the factor times scale */
	double scale;
	bool fades;    /* its parameter is a time constant in ns */
	bool exponent; /* its factor estimates its parameter */
	bool states;   /* needs samples of the device's clock and limits */
	bool field;    /* needs a clock field */
	bool speeds;   /* it is told by durations: one such kind tells what there is to tell */
	bool replays;  /* needs replays of what the program runs, too; with them, no proof */
	const double *parameters; /* candidates */
	guint parameter_count;
	void (*compute)(struct influence *influence, const struct model *model,
		const struct classes *classes, const double *power_w);
};

extern const struct influence_kind influence_kinds[]; /* ended by a NULL name */

/* The kind that says by how much less replayed executions draw. */
const struct influence_kind *influence_kind_of_replays(void);

/* value_w: by execution, from first to before end: the mean over the time that it runs, in W. */
struct influence {
	const struct influence_kind *kind;
	double parameter;
	guint first, end;
	const struct clock_field *field; /* borrowed; NULL: none */
	const double
		*exponent; /* by class: of its power by the clock; borrowed; NULL: as expected */
	struct mapped_array *value_w; /* float */
};

/* The value of an execution, which must be one of those from first to before end. */
static inline double influence_w(const struct influence *influence, guint execution)
{
	const float *value_w = mapped_array_at(influence->value_w, execution - influence->first);

	return *value_w;
}

struct influences {
	guint count;
	struct influence list[INFLUENCES_MAX];
	bool by_class; /* in a design, each class has a column of the only influence */
};

/* Computes value_w from the dynamic powers, by column.  influence_clear frees it. */
void influence_compute(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w);
void influence_clear(struct influence *influence);

/* The exponent of the power by the clock that is expected of a class, where that of classes whose
 * durations follow the clock is compute_bound. */
double influence_exponent(const struct clock_field *field, guint class_index, double compute_bound);

/* The influences as the search for a response takes them; their values are borrowed. */
struct column_factors influences_factors(const struct influences *influences);

/* The sum of all influences on an execution, in W. */
static inline double influences_add_w(
	const struct influences *influences, const double *factor, guint execution)
{
	double sum = 0;

	for (guint i = 0; i < influences->count; i++)
		sum += factor[i] * influence_w(&influences->list[i], execution);
	return sum;
}

#endif
