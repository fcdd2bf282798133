/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/modes.h"

#include <math.h>

#include "tests/unit/unit.h"

#define CUTS 2

static void gaps_are_found_between_modes(void **state)
{
	const double sorted[] = {1, 1.1, 1.2, 2.4, 2.5, 2.6, 10, 11, 12};
	double cuts[CUTS];

	(void)state;
	assert_int_equal(modes_cut(sorted, 9, 1.5, 3, cuts, CUTS), 2);
	assert_true(fabs(cuts[0] - sqrt(1.2 * 2.4)) < 1e-12);
	assert_true(fabs(cuts[1] - sqrt(2.6 * 10)) < 1e-12);
	assert_int_equal(modes_cut(sorted, 9, 1.5, 3, cuts, 1), 1);
	assert_int_equal(modes_cut(sorted, 9, 5, 3, cuts, CUTS), 0);
}

static void a_few_outliers_are_no_mode(void **state)
{
	const double sorted[] = {0.1, 1, 1.1, 1.2, 1.3, 9, 10};
	double cuts[CUTS];

	(void)state;
	assert_int_equal(modes_cut(sorted, 7, 1.5, 3, cuts, CUTS), 0);
	assert_int_equal(modes_cut(sorted, 0, 1.5, 3, cuts, CUTS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_found_between_modes),
		cmocka_unit_test(a_few_outliers_are_no_mode),
	};

	return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
