/* SPDX-License-Identifier: MIT */
/*
 * What is known of sums, from what is known of their terms: where C is the covariance of x, that of
 * T x is T C T'.  Rows of T have few entries, so that they are kept as lists.  All intervals come
 * out of one covariance, that of a fit's powers, by these functions.
 */
#ifndef PWRTRACE_COVARIANCE_H
#define PWRTRACE_COVARIANCE_H

#include <glib.h>

struct covariance_term {
	size_t of; /* which x */
	double amount;
};

/* The rows of T. */
struct covariance_sums {
	GArray *terms; /* struct covariance_term, row after row */
	GArray *first; /* size_t: where each row begins, and where the last one ends */
};

struct covariance_sums *covariance_sums_new(void);
void covariance_sums_free(struct covariance_sums *sums);

/* Adds a term to the row that is being made; ends that row. */
void covariance_sums_add(struct covariance_sums *sums, size_t of, double amount);
void covariance_sums_end(struct covariance_sums *sums);

/* The sum of a row of x. */
double covariance_sum(const struct covariance_sums *sums, size_t row, const double *x);

/* T C, rows × n, and T C T', rows × rows; C is n × n, symmetric.  g_free it. */
double *covariance_left(const struct covariance_sums *sums, const double *c, size_t n);
double *covariance_of_sums(const struct covariance_sums *sums, const double *c, size_t n);

/* The variance of one sum: never negative. */
double covariance_variance(
	const struct covariance_term *terms, size_t count, const double *c, size_t n);

/* Adds weight * m m', what a quantity of this variance contributes that moves each x by m. */
void covariance_add(double *c, size_t n, double weight, const double *moves);

/* Makes x[into] the sum of itself and x[from], which stays what it is. */
void covariance_merge(double *c, size_t n, size_t from, size_t into);

#endif
