/* SPDX-License-Identifier: MIT */
#include "preload/power/rapl.h"
#include "tests/unit/unit.h"

#define RANGE_UJ 262143328850ULL

static void a_counter_advances(void **state)
{
	(void)state;
	assert_int_equal(rapl_advance_uj(1000, 1000, RANGE_UJ), 0);
	assert_int_equal(rapl_advance_uj(1000, 2500, RANGE_UJ), 1500);
}

static void a_counter_wraps(void **state)
{
	(void)state;
	assert_in_range(rapl_advance_uj(RANGE_UJ - 100, 200, RANGE_UJ), 300, 301);
	assert_in_range(rapl_advance_uj(RANGE_UJ, 0, RANGE_UJ), 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_advances),
		cmocka_unit_test(a_counter_wraps),
	};

	return cmocka_run_group_tests_name("rapl", tests, NULL, NULL);
}
