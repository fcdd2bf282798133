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

/* Of 300 numbers some are in the gap between 1 and 2. */
static size_t gaps_with_strays(size_t strays)
{
	double sorted[300], cuts[CUTS];

	for (size_t i = 0; i < 300; i++)
		sorted[i] = i < 150 - strays ? 1 : i < 150 ? 1.5 : 2;
	return modes_cut(sorted, 300, 1.6, 100, cuts, CUTS);
}

static void a_few_strays_fill_no_gap(void **state)
{
	(void)state;
	assert_int_equal(gaps_with_strays(0), 1);
	assert_int_equal(gaps_with_strays(3), 1);
	assert_int_equal(gaps_with_strays(4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_found_between_modes),
		cmocka_unit_test(a_few_outliers_are_no_mode),
		cmocka_unit_test(a_few_strays_fill_no_gap),
	};

	return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
