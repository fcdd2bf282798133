/* SPDX-License-Identifier: MIT */
/* Student's distribution, against its tables and the closed forms for 1 and 2 degrees of freedom.
 */
#include <math.h>

#include "analyzer/numeric/student.h"
#include "tests/unit/unit.h"

static void near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within))
		print_error("%.9g is not %.9g\n", value, expected);
	assert_true(fabs(value - expected) <= within);
}

static void two_sided_is_as_in_closed_form(void **state)
{
	(void)state;
	for (double t = 0; t < 8; t += 0.7) {
		near(student_two_sided(t, 1), 1 - 2 / M_PI * atan(t), 1e-9);
		near(student_two_sided(-t, 2), 1 - t / sqrt(2 + t * t), 1e-9);
		near(student_two_sided(t, INFINITY), erfc(t / sqrt(2)), 1e-12);
		near(student_two_sided(t, 999999), erfc(t / sqrt(2)), 1e-6);
	}
	near(student_two_sided(4.94, 756806), 7.814e-7, 1e-9);
	near(student_two_sided(INFINITY, 3), 0, 0);
	near(student_two_sided(1e200, 3), 0, 0);
}

static void t95_is_as_in_the_tables(void **state)
{
	(void)state;
	near(student_t95(1), 12.7062, 1e-4);
	near(student_t95(2), 4.30265, 1e-5);
	near(student_t95(4), 2.77645, 1e-5);
	near(student_t95(30), 2.04227, 1e-5);
	near(student_t95(INFINITY), 1.95996, 1e-5);
}

static void unknown_stays_unknown(void **state)
{
	(void)state;
	assert_true(isnan(student_two_sided(NAN, 3)));
	assert_true(isnan(student_t95(NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sided_is_as_in_closed_form),
		cmocka_unit_test(t95_is_as_in_the_tables),
		cmocka_unit_test(unknown_stays_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
