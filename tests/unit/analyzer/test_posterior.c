/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/posterior.h"

#include <glib.h>

#include "tests/unit/unit.h"

#define DRAWS 4000

/* Two normal parameters of correlation 0.9, means 3 and -1, standard deviations 2 and 0.1. */
static double correlated(const double *p, const void *data)
{
	double x = (p[0] - 3) / 2, y = (p[1] + 1) / 0.1;

	(void)data;
	return -(x * x - 1.8 * x * y + y * y) / (2 * (1 - 0.81));
}

/* exp(-x) for x ≥ 0, beside a parameter that is uniform in 0 .. 1. */
static double bounded(const double *p, const void *data)
{
	(void)data;
	return p[0] < 0 || p[1] < 0 || p[1] > 1 ? -INFINITY : -p[0];
}

static void assert_near(double value, double expected, double tolerance)
{
	if (fabs(value - expected) > tolerance)
		fail_msg("%g is not %g", value, expected);
}

static void a_normal_density_is_drawn(void **state)
{
	struct posterior posterior = {.parameters = 2,
		.start = {0, 0},
		.scale = {0.1, 0.1},
		.log_density = correlated,
		.learn_steps = 4000};
	double *draws = g_new(double, 2 * DRAWS), best[2];
	struct estimate first, second;

	(void)state;
	posterior_draw(&posterior, draws, DRAWS, best);
	first = posterior_estimate(draws, DRAWS, 2, -INFINITY);
	second = posterior_estimate(draws + 1, DRAWS, 2, -INFINITY);
	assert_near(best[0], 3, 0.3);
	assert_near(first.value, 3, 0.2);
	assert_near(first.low, 3 - 1.96 * 2, 0.5);
	assert_near(first.high, 3 + 1.96 * 2, 0.5);
	assert_near(second.value, -1, 0.01);
	assert_near(second.high - second.low, 2 * 1.96 * 0.1, 0.04);
	g_free(draws);
}

static void an_interval_reaches_the_floor(void **state)
{
	struct posterior posterior = {.parameters = 2,
		.start = {1, 0.5},
		.scale = {0.5, 0.5},
		.log_density = bounded,
		.learn_steps = 4000};
	double *draws = g_new(double, 2 * DRAWS);
	struct estimate estimate;

	(void)state;
	posterior_draw(&posterior, draws, DRAWS, NULL);
	estimate = posterior_estimate(draws, DRAWS, 2, 0);
	assert_true(estimate.low == 0);
	assert_near(estimate.high, -log(0.05), 0.3);
	assert_near(estimate.value, log(2), 0.1);
	estimate = posterior_estimate(draws + 1, DRAWS, 2, -INFINITY);
	assert_near(estimate.high - estimate.low, 0.95, 0.03);
	g_free(draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_normal_density_is_drawn),
		cmocka_unit_test(an_interval_reaches_the_floor),
	};

	return cmocka_run_group_tests_name("posterior", tests, NULL, NULL);
}
