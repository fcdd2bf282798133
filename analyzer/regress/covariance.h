/* SPDX-License-Identifier: MIT */
/*
 * Covariances of linear combinations: where C is the covariance of x, that of T x is T C T'.  T is
 * sparse, so that its rows are lists of terms.  All intervals are computed by these functions from
 * one covariance, that of a fit's powers.
 */
#ifndef PWRTRACE_COVARIANCE_H
#define PWRTRACE_COVARIANCE_H

#include <glib.h>

struct covariance_term {
	size_t of;     /* index in x */
	double amount; /* its factor */
};

/* The rows of T. */
struct covariance_sums {
	GArray *terms; /* struct covariance_term, row after row */
	GArray *first; /* size_t: where each row begins, and where the last one ends */
};

struct covariance_sums *covariance_sums_new(void);
void covariance_sums_free(struct covariance_sums *sums);

/* Adds a term to the last row; ends that row. */
void covariance_sums_add(struct covariance_sums *sums, size_t of, double amount);
void covariance_sums_end(struct covariance_sums *sums);

/* One element of T x. */
double covariance_sum(const struct covariance_sums *sums, size_t row, const double *x);

/* T C, rows × n, and T C T', rows × rows; C is n × n, symmetric.  g_free it. */
double *covariance_left(const struct covariance_sums *sums, const double *c, size_t n);
double *covariance_of_sums(const struct covariance_sums *sums, const double *c, size_t n);

/* The variance of one sum: never negative. */
double covariance_variance(
	const struct covariance_term *terms, size_t count, const double *c, size_t n);

/* Sets the first `count` elements of the product C x. */
void covariance_times(const double *c, size_t n, const double *x, size_t count, double *product);

/* Adds weight * m m': the contribution of an independent quantity with variance weight, of which
 * one unit moves x by m. */
void covariance_add(double *c, size_t n, double weight, const double *moves);

/* Replaces x[into] by x[into] + x[from]; x[from] stays. */
void covariance_merge(double *c, size_t n, size_t from, size_t into);

#endif
