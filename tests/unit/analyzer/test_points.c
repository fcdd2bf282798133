/* SPDX-License-Identifier: MIT */
/* Intervals of means of few points: drawn from a known distribution, they hold in 95 % of cases. */
#include "analyzer/profile/points.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

#define PARTS 10
#define POINTS 5 /* of a part */
#define TRIALS 400

/* The sum of twelve uniform numbers is nearly normal, with a standard deviation of 1. */
static double draw(unsigned short *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += erand48(seed);
	return sum;
}

static void intervals_of_few_points_hold(void **state)
{
	unsigned short seed[3] = {1, 2, 3};
	guint part_of[PARTS], counts[PARTS], held = 0;
	struct steady_power powers[PARTS];

	(void)state;
	for (guint i = 0; i < PARTS; i++)
		part_of[i] = i + 1;
	for (guint trial = 0; trial < TRIALS; trial++) {
		GArray *points = g_array_new(FALSE, FALSE, sizeof(struct point));

		for (guint i = 0; i < PARTS * POINTS; i++) {
			const struct point point = {.power_w = 100 + draw(seed) * 5,
				.whole = true,
				.execution = i % PARTS};

			g_array_append_val(points, point);
		}
		points_powers(points, part_of, PARTS, powers, counts);
		for (guint i = 0; i < PARTS; i++)
			held += fabs(powers[i].power_w - 100) <= powers[i].ci95_w;
		g_array_free(points, TRUE);
	}
	assert_in_range(held, PARTS * TRIALS * 93 / 100, PARTS * TRIALS * 97 / 100);
}

static void parts_of_devices_do_not_count(void **state)
{
	static const guint part_of[] = {1, 2};
	const struct point points[] = {
		{.power_w = 300, .whole = true}, {.power_w = 302, .whole = true}, {.power_w = 50}};
	GArray *array = g_array_new(FALSE, FALSE, sizeof(struct point));
	struct steady_power powers[2];
	guint counts[2];

	(void)state;
	g_array_append_vals(array, points, 3);
	points_powers(array, part_of, 2, powers, counts);
	assert_int_equal(counts[0], 2);
	assert_true(powers[0].power_w == 301 && powers[0].ci95_w > 1);
	assert_int_equal(counts[1], 0);
	assert_true(isnan(powers[1].power_w) && isnan(powers[1].ci95_w));
	g_array_free(array, TRUE);
}

/* Two points with 1 W to their mean, and three that do not differ. */
static void the_own_variance_counts_once(void **state)
{
	static const guint part_of[] = {1, 2};
	const struct point points[] = {{.power_w = 300, .whole = true},
		{.power_w = 302, .whole = true}, {.power_w = 400, .whole = true, .execution = 1},
		{.power_w = 400, .whole = true, .execution = 1},
		{.power_w = 400, .whole = true, .execution = 1}};
	GArray *array = g_array_new(FALSE, FALSE, sizeof(struct point));
	struct steady_power powers[2];
	guint counts[2];

	(void)state;
	g_array_append_vals(array, points, 3);
	points_powers(array, part_of, 2, powers, counts);
	assert_true(fabs(powers[0].ci95_w - 12.7062) < 1e-4); /* t of 1 · √(2 / 1 / 2) */
	assert_true(fabs(powers[1].ci95_w - 12.7062 * sqrt(2)) < 1e-4);
	g_array_append_vals(array, points + 3, 2);
	points_powers(array, part_of, 2, powers, counts);
	assert_true(fabs(powers[0].ci95_w - 3.18245 * sqrt(2. / 3 / 2)) < 1e-4);
	assert_true(fabs(powers[1].ci95_w - 3.18245 * sqrt(2. / 3 / 3)) < 1e-4);
	g_array_free(array, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_of_few_points_hold),
		cmocka_unit_test(parts_of_devices_do_not_count),
		cmocka_unit_test(the_own_variance_counts_once),
	};

	return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
