/* SPDX-License-Identifier: MIT */
/*
 * The worked example of analyzer/regress/README.md: two classes and the static power, told by four
 * readings, in whole numbers.
 *
 *	reading  saw of a  of b  said     weight
 *	1        0         0      10 W    1 / W²
 *	2        1         0     110 W    1 / W²
 *	3        0         1      60 W    1 / W²
 *	4        1/2       1/2    90 W    2 / W²
 *
 * Their normal equations, without a prior, are
 *
 *	3/2 a + 1/2 b + 2 s = 110 + 90      = 200
 *	1/2 a + 3/2 b + 2 s = 60 + 90       = 150
 *	  2 a +   2 b + 5 s = 10 + 110 + 60 + 180 = 360
 *
 * The first less the second: a - b = 50; their sum: a + b = 175 - 2 s; so the third is
 * 350 - 4 s + 5 s = 360.  So s = 10, a = 102.5 and b = 52.5 W.  The determinant is 2, and the
 * inverse, which is the covariance in W²,
 *
 *	 7/4   3/4   -1
 *	 3/4   7/4   -1
 *	 -1    -1     1
 */
#ifndef PWRTRACE_TESTS_WORKED_EXAMPLE_H
#define PWRTRACE_TESTS_WORKED_EXAMPLE_H

#include <math.h>

#include "analyzer/regress/normal.h"
#include "tests/unit/unit.h"

enum { WORKED_A, WORKED_B, WORKED_STATIC, WORKED_POWERS };

#define WORKED_ROWS 4

static const struct power_reading worked_readings[WORKED_ROWS] = {
	{.power_w = 10}, {.power_w = 110}, {.power_w = 60}, {.power_w = 90}};
static const double worked_weight[WORKED_ROWS] = {1, 1, 1, 2};
static const double worked_power_w[WORKED_POWERS] = {102.5, 52.5, 10};
static const double worked_covariance[WORKED_POWERS * WORKED_POWERS] = {
	1.75, 0.75, -1, 0.75, 1.75, -1, -1, -1, 1};

/* design_free it. */
static inline struct design *worked_design(void)
{
	static const struct design_entry entries[] = {
		{WORKED_A, 1}, {WORKED_B, 1}, {WORKED_A, 0.5}, {WORKED_B, 0.5}};
	static const gsize first[WORKED_ROWS + 1] = {0, 0, 1, 2, 4};
	struct design *design = g_new0(struct design, 1);

	design->rows = WORKED_ROWS;
	design->columns = design->own = WORKED_STATIC;
	design->readings = worked_readings;
	design->first = g_memdup2(first, sizeof(first));
	design->entries = g_array_new(FALSE, FALSE, sizeof(struct design_entry));
	g_array_append_vals(design->entries, entries, G_N_ELEMENTS(entries));
	return design;
}

/* normal_free it. */
static inline struct normal_equations *worked_normal(void)
{
	struct normal_equations *normal = normal_new(WORKED_POWERS);
	struct design *design = worked_design();

	for (guint row = 0; row < WORKED_ROWS; row++)
		normal_add_row(normal, design, row, worked_weight[row]);
	design_free(design);
	return normal;
}

static inline void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		print_error("%.15g is not %.15g\n", value, expected);
	assert_true(fabs(value - expected) <= tolerance);
}

#endif
