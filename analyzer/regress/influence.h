/* SPDX-License-Identifier: MIT */
/*
 * What moves the power of an execution besides its class: how long the device had idled, what ran
 * before, the clock, a limit.  An influence is a column more in a fit: its values are watts by
 * execution, made from the classes' powers, and the fit finds the factor.
 */
#ifndef PWRTRACE_INFLUENCE_H
#define PWRTRACE_INFLUENCE_H

#include "analyzer/regress/classes.h"

#define INFLUENCES_MAX 32
#define INFLUENCES_CHOSEN_MAX COLUMNS_FACTORS_MAX

struct influence;

struct influence_kind {
	const char *name;
	const char *help; /* after "power depends on" */
	const char *unit; /* after the factor times scale */
	double scale;
	bool fades;               /* its parameter is a time constant in ns */
	bool exponent;            /* its parameter is what its factor turns out to be */
	bool states;              /* needs the device's states */
	const double *parameters; /* that may be tried */
	guint parameter_count;
	void (*compute)(struct influence *influence, const struct model *model,
		const struct classes *classes, const double *power_w);
};

extern const struct influence_kind influence_kinds[]; /* ended by a NULL name */

/* value_w: by execution from first on, of the time that it runs, in the mean. */
struct influence {
	const struct influence_kind *kind;
	double parameter;
	guint first, end;
	float *value_w;
};

struct influences {
	guint count;
	struct influence list[INFLUENCES_MAX];
};

/* Computes the values of the executions first to end; dynamic powers are by column. */
void influence_compute(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w);
void influence_clear(struct influence *influence);

/* Those chosen, as the search for a response sees them. */
struct column_factors influences_factors(const struct influences *influences);

/* What all influences add to an execution, in W. */
double influences_add_w(const struct influences *influences, const double *factor, guint execution);

#endif
