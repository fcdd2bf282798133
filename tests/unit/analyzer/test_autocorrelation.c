/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/autocorrelation.h"

#include <math.h>

#include "tests/unit/unit.h"

static void assert_correlation(const double *values, guint count, double expected)
{
	assert_true(fabs(autocorrelation_time(values, count) - expected) < 1e-12);
}

/* + - + - ...: neighbours say the opposite, which counts as nothing. */
static void what_alternates_is_independent(void **state)
{
	double values[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		values[i] = i % 2 ? 1 : -1;
	assert_correlation(values, 40, 1);
}

/*
 * + + + + - - - - + + + + ...: ten blocks of four.  Of the 39 products of neighbours 30 lie within
 * a block and are 1, 9 between two and are -1: ρ₁ = 21/40, which is more than 2/√40 = 0.32.  Two
 * apart 20 products are 1 and 18 are -1: ρ₂ = 2/40, which is less.  So each observation counts as
 * 1 / (1 + 2·21/40), and 40 as 40 / 2.05 = 19.5.
 */
static void blocks_count_as_fewer(void **state)
{
	double values[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		values[i] = i / 4 % 2 ? -3 : 3;
	assert_correlation(values, 40, 1 + 2 * 21. / 40);
}

/* ρ is 39/40, 38/40 and 37/40; lags of a tenth of the observations and more are not looked at. */
static void what_stays_the_same_is_looked_at_for_a_tenth(void **state)
{
	double values[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		values[i] = 0.5;
	assert_correlation(values, 40, 1 + 2 * (39. + 38 + 37) / 40);
}

/* x_i = x_i-1 / 2 + noise: ρ_l = 1/2^l, whose sum is 1. */
static void an_autoregression_counts_a_third(void **state)
{
	enum { COUNT = 100000 };
	GRand *random = g_rand_new_with_seed(1);
	double *values = g_new0(double, COUNT), found;

	(void)state;
	for (int i = 1; i < COUNT; i++)
		values[i] = values[i - 1] / 2 + g_rand_double_range(random, -1, 1);
	found = autocorrelation_time(values, COUNT);
	assert_true(fabs(found - 3) < 0.1);
	g_free(values);
	g_rand_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_alternates_is_independent),
		cmocka_unit_test(blocks_count_as_fewer),
		cmocka_unit_test(what_stays_the_same_is_looked_at_for_a_tenth),
		cmocka_unit_test(an_autoregression_counts_a_third),
	};

	return cmocka_run_group_tests_name("correlation", tests, NULL, NULL);
}
