/* SPDX-License-Identifier: MIT */
/* Table I of FinGraV, and what it means for slower sensors. */
#include "analyzer/profile/guidance.h"

#include <math.h>

#include "tests/unit/unit.h"

#define US 1e-6
#define MS 1e-3

static const struct {
	double time_s, period_s;
	struct guidance guidance;
} rows[] = {
	{30 * US, MS, {400, 6, 0.05}},
	{60 * US, MS, {200, 6, 0.05}},
	{400 * US, MS, {200, 40, 0.02}},
	{3 * MS, MS, {200, 300, 0.02}},
	{30 * US, 20 * MS, {8000, 6, 0.05}},
	{277.9 * US, 20 * MS, {4000, 28, 0.02}},
	{100 * US, 100 * MS, {20000, 10, 0.05}},
};

static void the_table_is_one_formula(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct guidance guidance = guidance_of(rows[i].time_s, rows[i].period_s);

		assert_true(guidance.runs == rows[i].guidance.runs);
		assert_true(guidance.points == rows[i].guidance.points);
		assert_true(guidance.margin == rows[i].guidance.margin);
	}
}

static void points_are_expected(void **state)
{
	(void)state;
	assert_true(fabs(guidance_expected_points(200, 277.9 * US, 20 * MS) - 2.779) < 1e-9);
	assert_true(fabs(guidance_expected_points(200, 100 * US, 100 * MS) - 0.2) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_one_formula),
		cmocka_unit_test(points_are_expected),
	};

	return cmocka_run_group_tests_name("guidance", tests, NULL, NULL);
}
