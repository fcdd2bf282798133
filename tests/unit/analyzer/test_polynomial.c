/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/polynomial.h"

#include <math.h>

#include "tests/unit/unit.h"

#define POINTS 9

static void a_polynomial_is_found_again(void **state)
{
	static const double truth[] = {500, -80, 30, 0, 7};
	double x[POINTS], y[POINTS], found[5];

	(void)state;
	for (int i = 0; i < POINTS; i++) {
		x[i] = i / (POINTS - 1.);
		y[i] = 0;
		for (int k = 4; k >= 0; k--)
			y[i] = y[i] * x[i] + truth[k];
	}
	assert_true(polynomial_fit(x, y, POINTS, 4, found));
	for (int k = 0; k < 5; k++)
		assert_true(fabs(found[k] - truth[k]) < 1e-6);
}

static void too_few_places_determine_none(void **state)
{
	static const double x[] = {0.1, 0.1, 0.5, 0.5, 0.9, 0.9}, y[] = {1, 2, 3, 4, 5, 6};
	double found[5];

	(void)state;
	assert_false(polynomial_fit(x, y, 6, 4, found));
	assert_false(polynomial_fit(x, y, 3, 4, found));
	assert_true(polynomial_fit(x, y, 6, 1, found));
	assert_true(fabs(found[0] + found[1] * 0.5 - 3.5) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_polynomial_is_found_again),
		cmocka_unit_test(too_few_places_determine_none),
	};

	return cmocka_run_group_tests_name("polynomial", tests, NULL, NULL);
}
