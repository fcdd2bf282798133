/* SPDX-License-Identifier: MIT */
/*
 * Powers that explain a sensor's readings:
 *
 *	reading = static + sum over classes of (its part of the reading) * (its dynamic power)
 *
 * The parts are weighted by the sensor's response, and influences (design/influence.h) add to the
 * powers.  The powers are estimated by least squares with powers >= 0, weighted by the noise that
 * the residuals show (design/noise.h).  A prior (analyzer/response/prior.h) whose width is learnt
 * draws a class to the mean where the readings contain little of it.
 */
#ifndef PWRTRACE_FIT_H
#define PWRTRACE_FIT_H

#include "analyzer/regress/design/design.h"
#include "analyzer/regress/design/expectation.h"
#include "analyzer/regress/design/sleep.h"
#include "analyzer/regress/fold_powers.h"
#include "analyzer/regress/remembered.h"
#include "analyzer/regress/utilization/utilization.h"
#include "analyzer/response/find.h"

/* Classes that the readings cannot tell apart, whose sum is known better than its parts. */
struct fit_group {
	GArray *classes; /* guint, in fit->classes->list */
	double energy_j;
	double ci95_j;
};

/* The class whose energy has the most negative correlation with that of a given one, among those
 * that it may be grouped with. */
struct fit_partner {
	int class_index; /* in fit->classes->list; -1: there is none */
	double correlation;
};

/* The measured power of a reading, and the power that the fit predicts for it. */
struct fitted_reading {
	uint64_t time_ns;
	double power_w, predicted_w;
};

struct fit {
	const struct source *source;
	double period_ns; /* median distance of the sensor's readings */
	struct classes *classes;
	struct response response;
	struct found_response found;
	struct clock_field *clock; /* NULL: nothing tells it */
	/* By class, NULL unless its power depends on the clock: with the clock at c, a class draws
	 * power_w * pow(c / clock_mean, clock_exponent), where the run's mean clock is 1.  Both are
	 * relative to durations (clock_field.h): to compare runs, compare their base durations. */
	double *clock_exponent, *clock_mean;
	struct influences influences;
	/* The estimates: dynamic powers by column, then the influences' factors, then the static
	 * power. */
	size_t powers;
	double *power_w;
	struct utilization *utilization; /* what counters tell; NULL: nothing */
	struct expectation *expected;    /* by column: of its power */
	struct class_prior *prior;       /* by column: of the dynamic powers */
	struct remembered *remembered;   /* what other recordings tell of them; NULL: nothing */
	/* Classes × influences, by a factor of 1: the energy of all executions, and the mean over
	 * the program's own (over all, where only replays ran it). */
	double *influence_j, *influence_w;
	double *covariance; /* powers × powers, in W²: of their errors from all causes */
	double *posterior;  /* powers × powers, of it: by the readings' noise and the prior */
	struct forecast *forecast; /* NULL: too many powers (forecast.h) */
	double *vif;               /* by power: its variance inflation factor (joint.h) */
	bool static_known; /* its interval is narrow: it is told apart from the dynamic powers */
	double rare_w; /* standard deviation of the powers of rare classes about the shared one */
	double launch_part; /* relative standard deviation of executions of a class, an upper bound
			     */
	GArray *fitted;     /* struct fitted_reading, in the order of time */
	GArray *raked; /* struct model_span: the time whose energy was divided by these powers */
	guint readings;
	struct readings_left_out left_out;
	struct sleep *sleep;                           /* NULL: none, or not known */
	double residual_w, autocorrelation, explained; /* of the readings' variance, 0 to 1 */
	double excess_variance; /* of the readings, as a part of their noise: in their weights */
	double *trust;          /* by reading: what its weight is multiplied by, as replays deviate
				 * (deviations.h); NULL: 1 */
	double inflation;       /* of the intervals, for what is left of it; 1 or more */
	double shift_part;      /* of what raking moved, what counts in intervals: 1 */
	struct fold_powers *fold_powers; /* for the held-out test; NULL once it is done */
	GPtrArray *groups;               /* struct fit_group *: of two classes or more */
	int *group_of;                   /* by class: index in groups, or -1 */
	struct fit_partner *partner_of;  /* by class */
};

/* Whether a source can be fitted: it has enough readings, and something ran on its devices. */
bool fit_possible(const struct model *model, const struct source *source);

/* Where to find what other recordings tell: a function, and what it is called with.  It returns
 * what a fit of the source keeps; NULL: nothing. */
struct fit_memory {
	struct remembered *(*remember)(const void *library, const struct model *model,
		const struct source *source, const struct classes *classes);
	const void *library;
};

/* Fits a source; the order of the steps is that of analyzer/regress/README.md.  model, source and
 * memory (which may be NULL) are borrowed.  Returns NULL where the equations cannot be solved.
 * fit_free it. */
struct fit *fit_make(
	const struct model *model, const struct source *source, const struct fit_memory *memory);
void fit_free(struct fit *fit);

/* The fit (of fits, struct fit *) by whose powers the energy of a source is divided: its own, or
 * that of the source whose holes it fills.  NULL: there is none. */
struct fit *fit_of_source(const GPtrArray *fits, const struct source *source);

/* A part of a class's executions, whose energy is a term of a sum. */
struct fit_amount {
	guint class_index;
	uint64_t executions;
	double time_ns, static_ns; /* by which the dynamic and the static power are multiplied */
	double energy_j;           /* after raking */
};

/* Half the 95 % interval, in J after raking, of the sum of amounts, each of another class:
 * equations (16) and (17) of analyzer/regress/README.md. */
double fit_ci95_j(const struct fit *fit, const struct fit_amount *amounts, size_t count);

/* How many times as much as the prior the readings tell of the dynamic energy of amounts: the
 * prior's variance over the posterior's, less 1. */
double fit_told(const struct fit *fit, const struct fit_amount *amounts, size_t count);

/* All executions of a class, replays too. */
struct fit_amount fit_class_amount(const struct fit *fit, guint class_index);

/* The program's own executions of a class, without replays. */
struct fit_amount fit_program_amount(const struct fit *fit, guint class_index);

/* Half the 95 % interval of the energy of all executions of a class, as a part of that energy; NaN
 * where that is 0. */
double fit_class_off(const struct fit *fit, guint class_index);

/* The same of the program's own executions. */
double fit_program_off(const struct fit *fit, guint class_index);

/* The standard deviation of a class's own response to the influences, as a mean power of
 * influence_w: they are fitted for all classes alike, and classes are taken to differ by 5 % of
 * them. */
double fit_influence_rest_w(const struct fit *fit, guint class_index);

/* Half the 95 % interval of the factor of an influence. */
double fit_influence_ci95(const struct fit *fit, guint influence);

/* Half the 95 % interval of the static power. */
double fit_static_ci95_w(const struct fit *fit);

/* Half the 95 % interval of an energy with this standard deviation that raking has moved by
 * shift_j, which may be a bias: equation (17). */
double fit_half_width(double deviation_j, double shift_j);

/* The relative half interval up to which a power counts as known. */
#define FIT_GROUP_WIDEST 0.1

/* Sets fit->groups, fit->group_of and fit->partner_of from the covariance of the classes' energies.
 */
void fit_make_groups(struct fit *fit);

#endif
