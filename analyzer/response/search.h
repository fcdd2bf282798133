/* SPDX-License-Identifier: MIT */
/*
 * Searches for the response with which the executions explain the readings best, and for others
 * that explain them about as well.  Where a program repeats itself the misfit has many minima, as
 * lags that differ by its period are nearly alike.  So descents start from several shapes,
 * and where several remain likely, shapes are drawn from the posterior.
 */
#ifndef PWRTRACE_SEARCH_H
#define PWRTRACE_SEARCH_H

#include "analyzer/response/trial.h"

struct shape_candidate {
	struct response_shape shape;
	double misfit; /* trials_misfit of it */
};

/* Families of responses: a mean over a window, a filter of first order, both. */
enum search_family { SEARCH_BOX, SEARCH_FILTER, SEARCH_BOTH, SEARCH_FAMILIES };

/* Trials are borrowed, of sensors with the same response and the same period. */
struct search {
	struct trial *trials;
	guint count;
	struct shape_candidate best[SEARCH_FAMILIES];
	struct trial *rough; /* of search_all */
	GArray *minima;      /* struct shape_candidate: of grids, by rough trials */
	GArray *met;         /* struct shape_candidate: the ends of descents */
	double independent;  /* degrees of freedom, by the effective sample size */
};

void search_begin(struct search *search, struct trial *trials, guint count);
void search_end(struct search *search);

/* Sets the best of each family, from a grid over the bounds of the search.  rough: for each trial
 * one of the same sensor with fewer readings, which show where to look closer, or the trials
 * themselves; borrowed while it runs. */
void search_all(struct search *search, struct trial *rough);

/* Sets the best of each family, from one shape alone. */
void search_from(struct search *search, const struct response_shape *shape);

/* Draws count shapes, at least 2, from the posterior, whose prior is uniform within the bounds;
 * updates the best of SEARCH_BOTH where a draw is better.  Returns count, or 0 where only one shape
 * is likely. */
guint search_draw(struct search *search, struct response_shape *shapes, guint count);

/* The sum of trial_misfit over all trials. */
double search_misfit(struct search *search, const struct response_shape *shape);

/* The gain, twice the logarithm of the likelihood ratio, of a shape with the misfit to over one
 * with the misfit from: equation (6) of analyzer/regress/README.md. */
double search_gain(const struct search *search, double from, double to);

/* The member of a family whose equivalent boxcar has about this lag and window. */
struct response_shape search_like_box(
	const struct search *search, enum search_family family, double lag_ns, double window_ns);

#endif
