/* SPDX-License-Identifier: MIT */
#include "analyzer/print/cell.h"

#include <math.h>

#include "tests/unit/unit.h"

static void test_scaled(void **state)
{
	static const struct {
		double value;
		const char *text, *range; /* from a half of it */
	} rows[] = {
		{0.00402, "4.02 mJ", "2.01 to 4.02 mJ"},
		{1200, "1.20 kJ", "600 J to 1.20 kJ"},
		{0, "0 J", "0 J"},
		{NAN, "unknown", "unknown"},
		{INFINITY, "unknown", "unknown"},
	};
	char cell[CELL_MAX], range[CELL_RANGE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cell_scaled(cell, rows[i].value, "J");
		assert_string_equal(cell, rows[i].text);
		cell_range(range, rows[i].value / 2, rows[i].value, "J");
		assert_string_equal(range, rows[i].range);
	}
	cell_range(range, NAN, 1, "s");
	assert_string_equal(range, "unknown to 1.00 s");
}

static void test_scaled_short(void **state)
{
	char cell[CELL_MAX];

	(void)state;
	cell_scaled_short(cell, 0.004, "J");
	assert_string_equal(cell, "4 mJ");
	cell_scaled_short(cell, NAN, "J");
	assert_string_equal(cell, "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_scaled_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
