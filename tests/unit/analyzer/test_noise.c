/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/noise.h"
#include "tests/unit/unit.h"

#include <math.h>

#define ROWS 20000

static double normal(GRand *random)
{
	return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

/* Readings from idle to full power, of which each source of noise makes a part. */
static void make_rows(GRand *random, struct noise_row *rows)
{
	for (guint i = 0; i < ROWS; i++) {
		double busy = g_rand_double(random), power_w = 60 + 600 * busy * busy;

		rows[i] = (struct noise_row){{1, power_w * power_w, busy * busy,
			200 * 200 * busy * g_rand_double(random), 600 * 600 * busy * (1 - busy),
			i % 2 ? 300 * 300 * busy * g_rand_double(random) : 0,
			i % 2 ? 250 * 250 * g_rand_double(random) : 0}};
	}
}

static void assert_learns(const double factor[NOISE_TERMS])
{
	GRand *random = g_rand_new_with_seed(1);
	struct noise_row *rows = g_new(struct noise_row, ROWS);
	double *residual_w = g_new(double, ROWS), worst = 0;
	struct noise truth = {.least_w2 = 1e-12}, learnt = noise_assumed(300);

	make_rows(random, rows);
	for (int i = 0; i < NOISE_TERMS; i++)
		truth.factor[i] = factor[i];
	for (guint i = 0; i < ROWS; i++)
		residual_w[i] = sqrt(noise_variance(&truth, &rows[i])) * normal(random);
	noise_learn(&learnt, rows, residual_w, ROWS, ROWS);
	for (guint i = 0; i < ROWS; i++) {
		double ratio = noise_variance(&learnt, &rows[i]) / noise_variance(&truth, &rows[i]);

		worst = MAX(worst, fabs(log(ratio)));
	}
	/* Terms stand in for each other; what counts is their sum, wherever a reading may lie. */
	assert_true(worst < 0.2);
	g_free(rows);
	g_free(residual_w);
	g_rand_free(random);
}

static void each_source_of_noise_is_learnt(void **state)
{
	(void)state;
	assert_learns((const double[NOISE_TERMS]){4});
	assert_learns((const double[NOISE_TERMS]){1, 0.005 * 0.005});
	assert_learns((const double[NOISE_TERMS]){1, 0, 25});
	assert_learns((const double[NOISE_TERMS]){1, 0, 0, 0, 0.02 * 0.02});
	assert_learns((const double[NOISE_TERMS]){1, 0, 0, 0, 0, 0.02 * 0.02});
	assert_learns((const double[NOISE_TERMS]){1, 0, 0, 0, 0, 0, 0.02 * 0.02});
	assert_learns((const double[NOISE_TERMS]){1, 0.003 * 0.003, 4, 0.03 * 0.03});
}

static void fewer_degrees_of_freedom_mean_more_noise(void **state)
{
	struct noise_row rows[100];
	double residual_w[100];
	struct noise all = noise_assumed(100), half = all;

	(void)state;
	for (int i = 0; i < 100; i++) {
		rows[i] = (struct noise_row){{1, 100 * 100, 0, 0, 0}};
		residual_w[i] = i % 2 ? 2 : -2;
	}
	noise_learn(&all, rows, residual_w, 100, 100);
	noise_learn(&half, rows, residual_w, 100, 50);
	assert_true(fabs(noise_variance(&all, &rows[0]) - 4) < 1e-3);
	assert_true(fabs(noise_variance(&half, &rows[0]) - 8) < 1e-3);
}

static void without_residuals_a_little_is_left(void **state)
{
	struct noise_row rows[30];
	double residual_w[30] = {0};
	struct noise noise = noise_assumed(100);

	(void)state;
	for (int i = 0; i < 30; i++)
		rows[i] = (struct noise_row){{1, 100 * 100, 1, 0, 0}};
	noise_learn(&noise, rows, residual_w, 30, 30);
	assert_true(noise_variance(&noise, &rows[0]) > 0);
}

/* 4 W² of floor, (1 % of 200 W)², 9 W² times how busy the device was squared, and (5 %)² of what
 * 1000 W² of executions make: 4 + 4 + 9/4 + 2.5 W². */
static void a_variance_adds_up_its_parts(void **state)
{
	const struct noise noise = {{4, 1e-4, 9, 0.05 * 0.05, 0.1 * 0.1}, 1e-6};
	const struct noise_row row = {{1, 200 * 200, 0.5 * 0.5, 1000, 100}};

	(void)state;
	assert_true(fabs(noise_variance(&noise, &row) - 13.75) < 1e-12);
}

/* 1 % of a reading and 0.2 % of the mean: of 300 W in the mean and 200 W now, 0.6² + 2² W². */
static void before_there_are_residuals_a_hundredth_is_assumed(void **state)
{
	const struct noise noise = noise_assumed(300);
	const struct noise_row row = {{1, 200 * 200, 1, 1e6, 1e6}};

	(void)state;
	assert_true(fabs(noise_variance(&noise, &row) - 4.36) < 1e-12);
}

/* A standard deviation of 2 W: up to 8 W a reading weighs 1/4, at 16 W half of that, so that it
 * pulls no more than one that is 8 W off. */
static void what_is_far_off_weighs_less(void **state)
{
	const struct noise noise = {{4}, 1e-6};
	const struct noise_row row = {{1}};

	(void)state;
	assert_true(fabs(noise_weight(&noise, &row, 0) - 0.25) < 1e-12);
	assert_true(fabs(noise_weight(&noise, &row, 8) - 0.25) < 1e-12);
	assert_true(fabs(noise_weight(&noise, &row, -16) - 0.125) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_source_of_noise_is_learnt),
		cmocka_unit_test(fewer_degrees_of_freedom_mean_more_noise),
		cmocka_unit_test(without_residuals_a_little_is_left),
		cmocka_unit_test(a_variance_adds_up_its_parts),
		cmocka_unit_test(before_there_are_residuals_a_hundredth_is_assumed),
		cmocka_unit_test(what_is_far_off_weighs_less),
	};

	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
