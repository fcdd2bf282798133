/* SPDX-License-Identifier: MIT */
/* Which classes are told apart, and why not, by equations of readings that are made up. */
#include <math.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/regress/joint.h"
#include "tests/unit/unit.h"

enum { TWIN, OTHER_TWIN, ALONE, OTHER_ALONE, CLASSES };

#define POWERS (CLASSES + 1) /* the last: the static one */
#define TIME_S 10.
#define POWER_W 100.
#define PRIOR_WEIGHT 1e-6

/* For which parts of a reading each class ran, and how many readings there are of that: of 1 W². */
static const struct {
	double part[CLASSES];
	double count;
} readings[] = {
	{{0.50, 0.50}, 50},
	{{0.51, 0.49}, 50},
	{{[ALONE] = 1}, 100},
	{{[OTHER_ALONE] = 1}, 100},
	{{0}, 1000},
};

static struct fit *new_fit(void)
{
	const struct kernel_class class = {.executions = 1000,
		.time_ns = 1e9 * TIME_S,
		.raked_ns = 1e9 * TIME_S,
		.static_ns = 1e9 * TIME_S,
		.found_j = POWER_W * TIME_S,
		.seen_j = POWER_W * TIME_S,
		.energy_j = POWER_W * TIME_S,
		.program = {1e9 * TIME_S, 1e9 * TIME_S, POWER_W * TIME_S}};
	struct fit *fit = g_new0(struct fit, 1);

	fit->classes = g_new0(struct classes, 1);
	fit->classes->list = g_array_new(FALSE, FALSE, sizeof(struct kernel_class));
	for (uint32_t i = 0; i < CLASSES; i++) {
		g_array_append_val(fit->classes->list, class);
		g_array_index(fit->classes->list, struct kernel_class, i).column = i;
	}
	fit->classes->columns.count = CLASSES;
	fit->powers = POWERS;
	fit->power_w = g_new0(double, POWERS);
	fit->influence_j = g_new0(double, 1);
	fit->influence_w = g_new0(double, 1);
	fit->groups = g_ptr_array_new();
	fit->raked = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	return fit;
}

static void add_readings(struct normal_equations *normal)
{
	for (size_t row = 0; row < G_N_ELEMENTS(readings); row++)
		for (size_t i = 0; i < POWERS; i++)
			for (size_t k = i; k < POWERS; k++)
				normal->matrix[i * POWERS + k] +=
					readings[row].count *
					(i < CLASSES ? readings[row].part[i] : 1) *
					(k < CLASSES ? readings[row].part[k] : 1);
}

static void solve(struct fit *fit)
{
	double prior_weight[POWERS];
	struct regression regression = {.fit = fit, .prior_weight = prior_weight};
	struct joint_fit joint = {.n = POWERS, .inverse = g_new0(double, POWERS *POWERS)};

	for (size_t i = 0; i < POWERS; i++)
		prior_weight[i] = PRIOR_WEIGHT;
	for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
		regression.folds[fold] = normal_new(POWERS);
	add_readings(regression.folds[0]);
	regression_add_normal(&regression, joint.inverse, joint.n);
	assert_true(solve_invert(joint.n, joint.inverse));
	fit->vif = joint_vif(&joint, &regression);
	fit->covariance = joint.inverse;
	for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
		normal_free(regression.folds[fold]);
}

static void assert_group(
	const struct fit *fit, guint index, guint classes, double energy_j, double ci95_j)
{
	const struct fit_group *group = g_ptr_array_index(fit->groups, index);

	assert_int_equal(group->classes->len, classes);
	assert_true(fabs(group->energy_j - energy_j) < 1e-9);
	assert_true(fabs(group->ci95_j - ci95_j) < 1e-9);
}

static void only_what_runs_together_is_confounded(void **state)
{
	struct fit *fit = new_fit();

	(void)state;
	solve(fit);
	fit_make_groups(fit);
	assert_int_equal(fit->groups->len, 1);
	for (int i = TWIN; i <= OTHER_TWIN; i++) {
		assert_int_equal(fit->group_of[i], 0);
		assert_int_equal(fit->partner_of[i].class_index, TWIN + OTHER_TWIN - i);
		assert_true(fit->partner_of[i].correlation >= -1);
		assert_true(fit->partner_of[i].correlation < -0.99);
		assert_true(fit->vif[i] > 1000);
	}
	for (int i = ALONE; i <= OTHER_ALONE; i++) {
		assert_int_equal(fit->group_of[i], -1);
		/* Idle readings, ten times as many, tell the static power. */
		assert_true(fabs(fit->vif[i] - 1.1) < 1e-3);
	}
	fit_free(fit);
}

/* A replay that did other work than the program's launches has no energy of the program's. */
static void what_only_replays_have_run_is_in_no_group(void **state)
{
	const struct model_origin origin = {.replayed = MODEL_REPLAYED_UNLIKE, .part = 1};
	struct fit *fit = new_fit();
	struct kernel_class *twin = &g_array_index(fit->classes->list, struct kernel_class, TWIN);

	(void)state;
	twin->replayed = twin->executions;
	twin->origin = &origin;
	solve(fit);
	fit_make_groups(fit);
	assert_int_equal(fit->group_of[TWIN], -1);
	assert_int_equal(fit->partner_of[TWIN].class_index, -1);
	for (guint i = 0; i < fit->groups->len; i++) {
		const struct fit_group *group = g_ptr_array_index(fit->groups, i);

		for (guint k = 0; k < group->classes->len; k++)
			assert_int_not_equal(g_array_index(group->classes, guint, k), TWIN);
	}
	fit_free(fit);
}

/*
 * A covariance worked out by hand: 1000 J each, of 10 s at 100 W, whose powers have a variance of
 * 100 W², so ±196 J: all but those that ran alone, of which it is 4 W², so ±39.2 J.
 *
 * The twins have a correlation of -0.9: 10²·(100 + 100 - 2·90) = 2000 J² of the sum, so
 * ±1.96·√2000 = ±87.7 J of 2000 J, less than a tenth.
 */
static void the_interval_of_a_group_is_that_of_the_sum(void **state)
{
	struct fit *fit = new_fit();

	(void)state;
	fit->covariance = g_new0(double, POWERS *POWERS);
	for (size_t i = 0; i < CLASSES; i++)
		fit->covariance[i * POWERS + i] = i <= OTHER_TWIN ? 100 : 4;
	fit->covariance[TWIN * POWERS + OTHER_TWIN] = -90;
	fit->covariance[OTHER_TWIN * POWERS + TWIN] = -90;
	assert_true(fabs(fit_class_off(fit, TWIN) - 0.196) < 1e-12);
	fit_make_groups(fit);
	assert_int_equal(fit->groups->len, 1);
	for (int i = TWIN; i <= OTHER_TWIN; i++) {
		assert_int_equal(fit->group_of[i], 0);
		assert_true(fabs(fit->partner_of[i].correlation + 0.9) < 1e-12);
	}
	for (int i = ALONE; i <= OTHER_ALONE; i++)
		assert_int_equal(fit->group_of[i], -1);
	assert_group(fit, 0, 2, 2000, 1.96 * sqrt(2000));
	fit_free(fit);
}

/* Where no sum of two is known to a tenth, three are put together, and so on: with variances of
 * 100 W² and no covariances it is ±196 J of 1000, ±277 of 2000, ±339 of 3000 and ±392 of 4000 J,
 * the first that is no more than a tenth. */
static void groups_grow_until_they_are_known(void **state)
{
	struct fit *fit = new_fit();

	(void)state;
	fit->covariance = g_new0(double, POWERS *POWERS);
	for (size_t i = 0; i < CLASSES; i++)
		fit->covariance[i * POWERS + i] = 100;
	fit_make_groups(fit);
	assert_int_equal(fit->groups->len, 1);
	assert_group(fit, 0, 4, 4000, 1.96 * sqrt(4 * 100 * 100));
	fit_free(fit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_runs_together_is_confounded),
		cmocka_unit_test(what_only_replays_have_run_is_in_no_group),
		cmocka_unit_test(the_interval_of_a_group_is_that_of_the_sum),
		cmocka_unit_test(groups_grow_until_they_are_known),
	};

	return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
