/* SPDX-License-Identifier: MIT */
/*
 * Looks for the response by which what ran explains readings best, and for others that explain them
 * about as well.  Where a program repeats itself, squares have many minima: lags that differ by a
 * period of it are nearly alike.  So descents begin from many shapes, and where several remain, the
 * posterior is drawn.
 */
#ifndef PWRTRACE_SEARCH_H
#define PWRTRACE_SEARCH_H

#include "analyzer/response/trial.h"

struct shape_candidate {
	struct response_shape shape;
	double squares; /* that are left, in all trials */
};

/* How a response may be: a mean over a window, a filter of first order, both. */
enum search_family { SEARCH_BOX, SEARCH_FILTER, SEARCH_BOTH, SEARCH_FAMILIES };

/* Trials are borrowed: of sensors that answer alike, with the same period. */
struct search {
	struct trial *trials;
	guint count;
	struct shape_candidate best[SEARCH_FAMILIES];
	GArray *met;        /* struct shape_candidate: of all that were tried, minima */
	double independent; /* readings, beyond what powers take */
};

void search_begin(struct search *search, struct trial *trials, guint count);
void search_end(struct search *search);

/* Sets the best of each family, from a grid of all that may be. */
void search_all(struct search *search);

/* The same from one shape alone. */
void search_from(struct search *search, const struct response_shape *shape);

/* Draws shapes from the posterior, with all that may be equally likely before; sets the best of
 * SEARCH_BOTH where it comes by a better one.  Returns how many draws there are; 0: there is but
 * one shape that is likely.  count: room for so many, at least 2. */
guint search_draw(struct search *search, struct response_shape *shapes, guint count);

/* The weighted squares that the best powers leave. */
double search_squares(struct search *search, const struct response_shape *shape);

/* By which twice the logarithm of the likelihood differs between squares that are left. */
double search_gain(const struct search *search, double from, double to);

/* The member of a family that is like a box. */
struct response_shape search_like_box(
	const struct search *search, enum search_family family, double lag_ns, double window_ns);

#endif
