/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/grid.h"
#include "tests/unit/analyzer/synthetic.h"

#define SEEDS 16

/* A grid, and how it is looked at. */
struct truth {
	double period_s, jitter_s, late_share, late_s, missed_share;
	double poll_s; /* 0: the updates are stamped */
	guint ticks;
};

static const struct truth truths[] = {
	/* stamps, now and then late by half a period, as NVML's samples on a Hopper */
	{.period_s = 0.02,
		.jitter_s = 0.0006,
		.late_share = 0.2,
		.late_s = 0.01,
		.missed_share = 0.03,
		.ticks = 800},
	/* a counter that is read every 10 to 20 ms */
	{.period_s = 0.1, .jitter_s = 0.0003, .poll_s = 0.015, .ticks = 200},
	/* read seldom, and without jitter */
	{.period_s = 0.1, .poll_s = 0.03, .missed_share = 0.1, .ticks = 150},
	/* few stamps, much jitter */
	{.period_s = 0.05, .jitter_s = 0.004, .ticks = 60},
};

static GArray *updates_for(const struct truth *truth, double tick_s, GRand *random)
{
	GArray *updates = g_array_new(FALSE, FALSE, sizeof(struct update));

	for (guint k = 0; k < truth->ticks; k++) {
		double time_s =
			tick_s + k * truth->period_s + truth->jitter_s * synthetic_normal(random);
		double after_s = truth->poll_s * (0.5 + g_rand_double(random));
		double before_s = after_s * g_rand_double(random);
		struct update update = {time_s - before_s, time_s - before_s + after_s, k};

		if (g_rand_double(random) < truth->missed_share)
			continue;
		if (truth->late_s > 0 && g_rand_double(random) < truth->late_share)
			update.from_s = update.until_s = time_s + truth->late_s;
		g_array_append_val(updates, update);
	}
	return updates;
}

static bool holds(struct estimate estimate, double truth)
{
	return estimate.low <= truth && truth <= estimate.high;
}

static void intervals_hold_the_truth(void **state)
{
	unsigned held = 0, all = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(truths); i++) {
		for (unsigned seed = 1; seed <= SEEDS; seed++) {
			const struct truth *truth = &truths[i];
			GRand *random = g_rand_new_with_seed(seed);
			double tick_s = g_rand_double(random), nearest_s;
			GArray *updates = updates_for(truth, tick_s, random);
			struct grid grid;

			assert_true(grid_fit(&grid, updates));
			nearest_s = tick_s + truth->period_s * round((grid.tick_s.value - tick_s) /
								       truth->period_s);
			held += holds(grid.period_s, truth->period_s) +
				holds(grid.tick_s, nearest_s) +
				holds(grid.jitter_s, truth->jitter_s) +
				holds(grid.off_share, truth->late_s > 0 ? truth->late_share : 0);
			all += 4;
			assert_true(
				grid.period_s.high - grid.period_s.low < 4e-3 * truth->period_s);
			assert_true(fabs(grid.tick_s.value - nearest_s) < 0.05 * truth->period_s);
			g_array_free(updates, TRUE);
			g_rand_free(random);
		}
	}
	print_message("# %u of %u intervals hold the truth\n", held, all);
	assert_in_range(held, all * 88 / 100, all);
}

static void late_stamps_are_told_from_those_on_the_grid(void **state)
{
	GRand *random = g_rand_new_with_seed(1);
	GArray *updates = updates_for(&truths[0], 0, random);
	struct grid grid;

	(void)state;
	assert_true(grid_fit(&grid, updates));
	assert_true(fabs(grid.off_by_s - truths[0].late_s) < 1e-3);
	assert_true(grid_has(&grid, 4.0005));
	assert_false(grid_has(&grid, 4.01));
	assert_true(fabs(grid_nearest_s(&grid, 4.009) - 4) < 1e-3);
	g_array_free(updates, TRUE);
	g_rand_free(random);
}

static void what_has_no_grid_gets_none(void **state)
{
	GRand *random = g_rand_new_with_seed(1);
	GArray *updates = g_array_new(FALSE, FALSE, sizeof(struct update));
	struct grid grid;
	double time_s = 0;

	(void)state;
	for (int i = 0; i < 400; i++) {
		struct update update = {time_s, time_s, i};

		g_array_append_val(updates, update);
		assert_false(i < 10 && grid_fit(&grid, updates));
		time_s -= 0.05 * log(1 - g_rand_double(random));
	}
	assert_false(grid_fit(&grid, updates));
	g_array_free(updates, TRUE);
	g_rand_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_truth),
		cmocka_unit_test(late_stamps_are_told_from_those_on_the_grid),
		cmocka_unit_test(what_has_no_grid_gets_none),
	};

	return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
