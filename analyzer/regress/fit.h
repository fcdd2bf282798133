/* SPDX-License-Identifier: MIT */
/*
 * Powers that explain a sensor's readings:
 *
 *	reading = static + sum over classes of (part of the reading that it ran) * (its dynamic
 *power)
 *
 * where the parts are weighted by the sensor's response, and influences add to powers
 * (influence.h).  Least squares with powers >= 0, weighted by the noise that the residuals show
 * (noise.h); a class of which the readings say little is drawn towards the mean by a prior whose
 * width is learnt (analyzer/response/prior.h).
 */
#ifndef PWRTRACE_FIT_H
#define PWRTRACE_FIT_H

#include "analyzer/regress/design.h"
#include "analyzer/regress/fold_powers.h"
#include "analyzer/regress/sleep.h"
#include "analyzer/response/find.h"

/* Classes that cannot be told apart, by a sum of which the interval is narrow. */
struct fit_group {
	GArray *classes; /* guint, in fit->classes->list */
	double energy_j;
	double ci95_j;
};

/* With whose energy, of those that a class may be put together with, its own is most negatively
 * correlated. */
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
	double period_ns; /* of the sensor's readings, the median */
	struct classes *classes;
	struct response response;
	struct found_response found;
	struct influences influences;
	/* The dynamic ones of the columns, the influences' factors, and the static one. */
	size_t powers;
	double *power_w;
	double *influence_j; /* classes × influences: energy by a factor of 1 */
	double *covariance;  /* powers × powers, in W²: of everything that is not known of them */
	double *vif;         /* by power: its variance inflation factor (joint.h) */
	bool static_known;   /* told apart from what runs */
	double rare_w; /* by how much rare classes differ among themselves, a standard deviation */
	double launch_part; /* by how much executions of a class may, as a part: an upper bound */
	GArray *fitted;     /* struct fitted_reading, in the order of time */
	GArray *raked;      /* spans: of what energy the powers have split */
	guint readings;
	struct readings_left_out left_out;
	struct sleep *sleep;                           /* NULL: none, or not known */
	double residual_w, autocorrelation, explained; /* of the readings' variance, 0 to 1 */
	double inflation; /* of the intervals, for correlation in time */
	double bootstrap; /* how wide a bootstrap has intervals, as a part of them; NaN: unknown */
	struct fold_powers *fold_powers; /* for a test of the fit; NULL once it has been tested */
	GPtrArray *groups;               /* struct fit_group *: of two classes or more */
	int *group_of;                   /* by class: index in groups, or -1 */
	struct fit_partner *partner_of;  /* by class */
};

/* Whether there are enough readings of something that ran. */
bool fit_possible(const struct model *model, const struct source *source);

/* NULL where no powers can be found. */
struct fit *fit_make(const struct model *model, const struct source *source);
void fit_free(struct fit *fit);

/* Of some, the one by whose powers the energy of a source is split: its own, or that of the source
 * whose holes it fills; NULL: none. */
struct fit *fit_of_source(const GPtrArray *fits, const struct source *source);

/* An energy that consists of this much of a class. */
struct fit_amount {
	guint class_index;
	uint64_t executions;
	double time_ns, static_ns; /* charged with the dynamic power, and with the static one */
	double energy_j;           /* after raking */
};

/* Half the 95 % interval of the energy of a sum of such, each of another class, after raking. */
double fit_ci95_j(const struct fit *fit, const struct fit_amount *amounts, size_t count);

/* What the program's own executions of a class have. */
struct fit_amount fit_program_amount(const struct fit *fit, guint class_index);

/* Half the 95 % interval of the energy that all of a class has, as a part of it; NaN: it has none.
 */
double fit_class_off(const struct fit *fit, guint class_index);

/* By how much the influences on a class may be off, in J: they are fitted for all alike, and
 * classes are taken to differ by a twentieth of them. */
double fit_influence_rest_j(const struct fit *fit, guint class_index);

/* Half the 95 % interval of the factor of an influence. */
double fit_influence_ci95(const struct fit *fit, guint influence);

/* Half the 95 % interval of the static power. */
double fit_static_ci95_w(const struct fit *fit);

/* Half an interval about a value that raking has moved by shift_j for what the sensor did not see:
 * 95 % of a normal distribution beside the middle. */
double fit_half_width(double deviation_j, double shift_j);

/* Sets fit->groups, fit->group_of and fit->partner_of, from the energies of its classes. */
void fit_make_groups(struct fit *fit);

#endif
