/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/series.h"

#include <math.h>

#include "tests/unit/unit.h"

/* Of 9, 10 and 11 the standard deviation is 1; Student's factor of 2 degrees of freedom is 4.303.
 */
static void a_few_values_have_students_interval(void **state)
{
	struct series series = {0};

	(void)state;
	assert_true(isnan(series_part95(&series)));
	series_add(&series, 9);
	assert_true(isnan(series_part95(&series)));
	series_add(&series, 11);
	series_add(&series, 10);
	assert_true(fabs(series_part95(&series) - 4.302652729911 / sqrt(3) / 10) < 1e-9);
	series_clear(&series);
}

static void equal_values_are_exact(void **state)
{
	struct series series = {0};

	(void)state;
	for (int i = 0; i < 10000; i++)
		series_add(&series, 8);
	assert_true(series_part95(&series) == 0);
	series_clear(&series);
}

/* Half the interval of the mean of so many values of an autoregression about 100, of which each is
 * alike to the one before by a part; *off: how far the mean is off, as a part, too. */
static double part95_of(GRand *random, guint count, double alike, double *off)
{
	struct series series = {0};
	double value = 0, sum = 0, part95;

	for (guint i = 0; i < count; i++) {
		value = alike * value + g_rand_double_range(random, -1, 1);
		series_add(&series, 100 + value);
		sum += value / count;
	}
	part95 = series_part95(&series);
	*off = fabs(sum) / 100;
	series_clear(&series);
	return part95;
}

/* Each value counts as (1 - alike) / (1 + alike): 1/19 of 0.9. */
static void neighbours_that_are_alike_count_as_fewer(void **state)
{
	static const double alike[] = {0, 0.5, 0.9};
	static const guint counts[] = {500, 3000, 100000};
	enum { SERIES = 400 };
	GRand *random = g_rand_new_with_seed(1);

	(void)state;
	for (guint k = 0; k < 3; k++)
		for (guint i = 0; i < 3; i++) {
			int covered = 0;

			for (int n = 0; n < SERIES; n++) {
				double off, part95 = part95_of(random, counts[i], alike[k], &off);

				covered += off <= part95;
			}
			assert_in_range(covered, 88 * SERIES / 100, 98 * SERIES / 100);
		}
	g_rand_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_few_values_have_students_interval),
		cmocka_unit_test(equal_values_are_exact),
		cmocka_unit_test(neighbours_that_are_alike_count_as_fewer),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
