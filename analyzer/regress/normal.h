/* SPDX-License-Identifier: MIT */
/* Normal equations of weighted least squares: N x = c. */
#ifndef PWRTRACE_NORMAL_H
#define PWRTRACE_NORMAL_H

#include "analyzer/regress/design/design.h"

struct normal_equations {
	size_t n;
	double *matrix; /* n × n, upper triangle */
	double *right;  /* n: the right-hand side c */
};

struct normal_equations *normal_new(size_t n);
void normal_free(struct normal_equations *normal);

/* Adds one reading: weight * x x' to the matrix and weight * x * reading to the right-hand side,
 * where x has the entries of the row and 1 for the static power, whose index is design->columns. */
void normal_add_row(
	struct normal_equations *normal, const struct design *design, guint row, double weight);

/* a += factor * b */
void normal_add(struct normal_equations *a, const struct normal_equations *b, double factor);

/* The predicted power of a reading in W; power_w has design->columns + 1 elements, the static power
 * last. */
double normal_predict(const struct design *design, guint row, const double *power_w);

#endif
