/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/bisect.h"
#include "tests/unit/unit.h"

static const int values[] = {1, 3, 3, 5};

static void the_first_that_is_not_before(void **state)
{
	static const struct {
		int sought;
		guint at;
	} cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 3}, {5, 3}, {6, 4}};

	(void)state;
	for (size_t c = 0; c < G_N_ELEMENTS(cases); c++)
		assert_int_equal(BISECT(i, 0, G_N_ELEMENTS(values), values[i] >= cases[c].sought),
			cases[c].at);
}

static void nothing_outside_is_looked_at(void **state)
{
	(void)state;
	assert_int_equal(BISECT(i, 1, 3, values[i] >= 0), 1);
	assert_int_equal(BISECT(i, 1, 3, values[i] > 3), 3);
	assert_int_equal(BISECT(i, 2, 2, values[i] > 3), 2);
	assert_int_equal(BISECT(i, 1, 0, values[1000000 + i] > 3), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_is_not_before),
		cmocka_unit_test(nothing_outside_is_looked_at),
	};

	return cmocka_run_group_tests_name("bisect", tests, NULL, NULL);
}
