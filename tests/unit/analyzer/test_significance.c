/* SPDX-License-Identifier: MIT */
/* Which of several findings are significant together. */
#include "analyzer/numeric/significance.h"

#include <math.h>

#include "tests/unit/unit.h"

static void assert_largest(const double *p, guint count, double expected)
{
	assert_true(fabs(significance_largest(p, count) - expected) < 1e-12);
}

static void five_percent_of_those_found_may_be_chance(void **state)
{
	(void)state;
	/* Of five: 0.04 = 0.05 · 4 / 5. */
	assert_largest((double[]){0.04, 0.001, NAN, 0.03, 0.9, 0.012}, 6, 0.04);
	/* 0.041 and 0.031 are more than 0.04 and 0.03; 0.012 is less than 0.02. */
	assert_largest((double[]){0.041, 0.001, NAN, 0.031, 0.9, 0.012}, 6, 0.012);
}

static void one_in_many_must_be_less_likely(void **state)
{
	double p[20];

	(void)state;
	for (guint i = 0; i < 20; i++)
		p[i] = 0.5;
	p[7] = 0.01;
	assert_largest(p, 20, -1);
	p[7] = 0.0025;
	assert_largest(p, 20, 0.0025);
}

static void of_nothing_none_is(void **state)
{
	(void)state;
	assert_largest(NULL, 0, -1);
	assert_largest((double[]){NAN}, 1, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_percent_of_those_found_may_be_chance),
		cmocka_unit_test(one_in_many_must_be_less_likely),
		cmocka_unit_test(of_nothing_none_is),
	};

	return cmocka_run_group_tests_name("significance", tests, NULL, NULL);
}
