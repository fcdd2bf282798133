/* SPDX-License-Identifier: MIT */
/* The least squares by which the shares of classes follow from intervals of counters. */
#ifndef PWRTRACE_SHARES_H
#define PWRTRACE_SHARES_H

#include "analyzer/regress/design/design.h"
#include "analyzer/regress/utilization/counted.h"

/* What is solved, and with what. */
struct share_equations {
	const struct model *model;
	const struct classes *classes;
	const struct counted *counted;
	double *late_ns;             /* by block */
	struct power_reading *times; /* of the last design */
	struct design *design;       /* of rows from first on */
	guint first;
	size_t n;
	double *matrix, *right;
};

/* All times are right at first.  model, classes and counted are borrowed.  shares_end it. */
struct share_equations shares_begin(
	const struct model *model, const struct classes *classes, const struct counted *counted);
void shares_end(struct share_equations *equations);

/* The design of rows from first on, whose times are later by late_ns than late_ns of their blocks
 * says.  design_free it before the next one is made. */
struct design *shares_design(
	struct share_equations *equations, guint first, guint count, double late_ns);

/* Sets up the equations of rows from first on, with the times as they are now. */
void shares_set(struct share_equations *equations, guint first, guint rows);

/* Finds the shares of a part by column, drawn to their mean with the weight of so many readings.
 * Returns the residuals, for g_free; NULL where they cannot be solved for. */
double *shares_solve(struct share_equations *equations, int part, double weight, double *share);

/* The share of an interval that a design predicts. */
double shares_predict(const struct design *design, guint row, const double *share);

#endif
