/* SPDX-License-Identifier: MIT */
/* Normal equations of a fit: of the columns, the static power, and what else is not known. */
#ifndef PWRTRACE_NORMAL_H
#define PWRTRACE_NORMAL_H

#include "analyzer/regress/design.h"

struct normal_equations {
	size_t n;
	double *matrix; /* n × n, upper triangle */
	double *right;
};

struct normal_equations *normal_new(size_t n);
void normal_free(struct normal_equations *normal);

/* Adds weight * (row)(row)', the row being its entries and 1 for the static power. */
void normal_add_row(
	struct normal_equations *normal, const struct design *design, guint row, double weight);

/* a += factor * b */
void normal_add(struct normal_equations *a, const struct normal_equations *b, double factor);

/* What a row's reading should be. */
double normal_predict(const struct design *design, guint row, const double *power_w);

#endif
