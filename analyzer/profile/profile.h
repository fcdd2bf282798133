/* SPDX-License-Identifier: MIT */
/*
 * The power of one kernel by its number in a run from idle, and within an execution: FinGraV
 * (guidance.h) on a trace.
 *
 * Where the sensor's window is no longer than an execution, powers are means of points.  Where it
 * is longer there are none; then each execution number is a class of its own (origin.h, part) in a
 * fit, by whose powers the profile is modelled.
 */
#ifndef PWRTRACE_PROFILE_H
#define PWRTRACE_PROFILE_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/profile/guidance.h"
#include "analyzer/profile/points.h"

#define PROFILE_NUMBERS_MAX 1000 /* execution numbers that are told apart; later ones are not */
#define PROFILE_MODELLED_MAX 100 /* the same of classes of a fit, of which each costs time */
#define PROFILE_DEGREE 4         /* of the polynomial through points: as FinGraV's */

struct profile_options {
	double gap_s;
	double margin;    /* NaN: by the guidance */
	double stable;    /* a part of the power */
	double outlier_s; /* the bin that begins there is studied; NaN: the fullest is */
	size_t runs;      /* only the first ones; 0: all */
	bool before;      /* by what ran before */
	bool no_sync;     /* by the host's times */
	bool no_binning;  /* all runs are golden */
};

enum profile_resolution {
	PROFILE_MEASURED,
	PROFILE_MODELLED,
	PROFILE_REFUSED, /* everything would be one number */
};

/* An execution number. */
struct profile_position {
	guint execution; /* from 1 */
	double time_s;   /* median */
	struct steady_power power;
	struct steady_power together; /* of its group; its own where there is none */
	guint points;
	struct number_range group; /* they are not told apart; it alone: it is told apart */
};

/* Executions after one kernel, or after idle. */
struct profile_before {
	char *name;
	struct steady_power power;
	uint64_t executions;
	bool significant; /* it draws more than the mean of the others */
	double cost_j;    /* what that costs; NaN where it is not significant */
};

struct profile {
	char *name;
	bool of_iterations; /* each run is an iteration, as one execution */
	guint runs, golden;
	guint fewest, most;           /* executions of a run */
	guint binned;                 /* the execution number by whose time runs are golden */
	struct steady_bin bin, times; /* that time, of golden runs and of all */
	struct guidance guidance;
	double period_s, window_s; /* of the sensor; NaN: not known */
	double runs_needed;        /* in all, for as many points as are wanted */
	double expected_points;    /* of one execution, from all runs */
	enum profile_resolution resolution;
	guint sse, ssp;    /* execution numbers; 0: there is none */
	GArray *positions; /* struct profile_position, from number 1 on */
	guint studied;     /* the number of the execution that the next two are of: SSP, else SSE */
	guint studied_points;
	double fit[PROFILE_DEGREE + 1]; /* W by (TOI / duration)^i; NaN: not known */
	GArray *points;                 /* struct point, of all golden runs */
	struct runs *of;                /* the runs that the points are in */
	GArray *befores;                /* struct profile_before; NULL: not asked for */
};

/* The runs of the kernel with a label.  labels: by origin; equal ones are equal pointers, and
 * wanted is one of them.  Where a campaign launched it again (two or more runs of replays), these
 * are meant, else the program's own. */
struct runs *profile_runs(const struct model *model, const struct profile_options *options,
	const char *const *labels, const char *wanted);

/* Divides a kernel's executions into parts, as load_options.divide does: by number in a run, or by
 * what ran before where that is asked for. */
void profile_divide(const struct model *model, const struct profile_options *options,
	const char *const *labels, const char *wanted, uint32_t *parts);

/* The profile of what has a name and these runs, at least one, which the profile then owns.  labels
 * as in profile_runs.  Free it with profile_free. */
struct profile *profile_make(const struct attribution *attribution,
	const struct profile_options *options, const char *name, struct runs *runs,
	const char *const *labels);
void profile_free(struct profile *profile);

static inline const struct profile_position *profile_position(
	const struct profile *profile, guint number)
{
	return number && number <= profile->positions->len
		       ? &g_array_index(profile->positions, struct profile_position, number - 1)
		       : NULL;
}

#endif
