/* SPDX-License-Identifier: MIT */
/* Intervals of sums, from the covariance of the worked example (worked_example.h). */
#include "analyzer/regress/fit.h"

#include "tests/unit/analyzer/worked_example.h"

#define SURE 1.96
#define A_S 2. /* how long the classes ran */
#define B_S 3.

/* Classes that ran alone, one after the other, so that each has the static energy of its time. */
static void begin(struct fit *fit, struct classes *classes)
{
	const struct kernel_class list[] = {
		{.column = WORKED_A,
			.executions = 20,
			.time_ns = A_S * 1e9,
			.raked_ns = A_S * 1e9,
			.static_ns = A_S * 1e9,
			.found_j = 225,
			.seen_j = 225,
			.energy_j = 225},
		{.column = WORKED_B,
			.executions = 30,
			.time_ns = B_S * 1e9,
			.raked_ns = B_S * 1e9,
			.static_ns = B_S * 1e9,
			.found_j = 187.5,
			.seen_j = 187.5,
			.energy_j = 187.5},
	};

	*classes = (struct classes){.columns = {.count = WORKED_STATIC},
		.list = g_array_new(FALSE, FALSE, sizeof(struct kernel_class))};
	g_array_append_vals(classes->list, list, G_N_ELEMENTS(list));
	*fit = (struct fit){.classes = classes,
		.powers = WORKED_POWERS,
		.power_w = g_memdup2(worked_power_w, sizeof(worked_power_w)),
		.covariance = g_memdup2(worked_covariance, sizeof(worked_covariance)),
		.shift_part = 1,
		.influence_w = g_new0(double, 1)};
}

static void end(struct fit *fit)
{
	g_array_free(fit->classes->list, TRUE);
	g_free(fit->power_w);
	g_free(fit->covariance);
	g_free(fit->influence_w);
}

static struct kernel_class *class_at(const struct fit *fit, guint i)
{
	return &g_array_index(fit->classes->list, struct kernel_class, i);
}

/* All of a class. */
static struct fit_amount all_of(const struct fit *fit, guint i)
{
	const struct kernel_class *class = class_at(fit, i);

	return (struct fit_amount){
		i, class->executions, class->raked_ns, class->static_ns, class->energy_j};
}

/*
 * With a variance of 7/4 of a and b, 1 of s, covariances of 3/4 and -1:
 *
 *	a:   2²·7/4 + 2²·1 + 2·2·2·(-1) = 7 + 4 - 8 = 3 J²
 *	b:   3²·7/4 + 3²·1 + 2·3·3·(-1) = 63/4 + 9 - 18 = 27/4 J²
 *	and: 3 + 27/4 + 2·(2·3·3/4 - 2·3 - 3·2 + 2·3) = 39/4 - 3 = 27/4 J²
 *
 * Each is less than the dynamic energy's alone, and the sum of both is known no worse than b.
 */
static void a_sum_has_the_variance_of_its_parts_and_between_them(void **state)
{
	struct classes classes;
	struct fit_amount both[2];
	struct fit fit;

	(void)state;
	begin(&fit, &classes);
	for (guint i = 0; i < 2; i++)
		both[i] = all_of(&fit, i);
	assert_near(fit_ci95_j(&fit, &both[0], 1), SURE * sqrt(3), 1e-9);
	assert_near(fit_ci95_j(&fit, &both[1], 1), SURE * sqrt(6.75), 1e-9);
	assert_near(fit_ci95_j(&fit, both, 2), SURE * sqrt(6.75), 1e-9);
	assert_near(fit_class_off(&fit, 0), SURE * sqrt(3) / 225, 1e-12);
	end(&fit);
}

/* Raking moved a by 10 J, which may be a bias; a part of that counts. */
static void what_raking_moved_widens_an_interval(void **state)
{
	struct classes classes;
	struct fit_amount amount;
	struct fit fit;

	(void)state;
	begin(&fit, &classes);
	class_at(&fit, 0)->found_j -= 10;
	amount = all_of(&fit, 0);
	assert_near(fit_ci95_j(&fit, &amount, 1), 1.645 * sqrt(3) + 10, 1e-9);
	fit.shift_part = 0.5;
	assert_near(fit_ci95_j(&fit, &amount, 1), 1.645 * sqrt(3) + 5, 1e-9);
	end(&fit);
}

/* Its factor has a variance of 0.01 and, told by readings of its own, no covariance with the
 *powers. By a factor of 1 it adds 20 W to a, 40 J: of a factor of 0.5 20 J, of which 5 % differ by
 * class.
 *
 *	3 + 40²·0.01 + (0.05·20)² = 3 + 16 + 1 J²
 */
static void an_influence_adds_what_is_not_known_of_it(void **state)
{
	enum { A, B, FACTOR, STATIC, POWERS };
	static const double covariance[POWERS * POWERS] = {
		1.75, 0.75, 0, -1, 0.75, 1.75, 0, -1, 0, 0, 0.01, 0, -1, -1, 0, 1};
	static const double power_w[POWERS] = {102.5, 52.5, 0.5, 10}, influence_w[] = {20, 0};
	struct classes classes;
	struct fit_amount amount;
	struct fit fit;

	(void)state;
	begin(&fit, &classes);
	fit.influences.count = 1;
	fit.powers = POWERS;
	g_free(fit.power_w);
	g_free(fit.covariance);
	g_free(fit.influence_w);
	fit.power_w = g_memdup2(power_w, sizeof(power_w));
	fit.covariance = g_memdup2(covariance, sizeof(covariance));
	fit.influence_w = g_memdup2(influence_w, sizeof(influence_w));
	assert_near(fit_influence_rest_w(&fit, A), 0.5, 1e-12);
	amount = all_of(&fit, A);
	assert_near(fit_ci95_j(&fit, &amount, 1), SURE * sqrt(20), 1e-9);
	amount = all_of(&fit, B);
	assert_near(fit_ci95_j(&fit, &amount, 1), SURE * sqrt(6.75), 1e-9);
	assert_near(fit_influence_ci95(&fit, 0), SURE * 0.1, 1e-12);
	assert_near(fit_static_ci95_w(&fit), SURE, 1e-12);
	end(&fit);
}

/* Executions of a differ by a tenth.  5 of its 20 ran for half a second, so 1/4 of its load:
 *
 *	(1/4)²·3 J² of what is not known of the class, and of the scatter, with the correction
 *	for a finite population, (1 - 5/20)·(0.1·112.5 W·0.5 s)²/5
 */
static void some_executions_may_be_unlike_the_class(void **state)
{
	const struct fit_amount some = {0, 5, 0.5e9, 0.5e9, 56.25};
	struct classes classes;
	struct fit fit;

	(void)state;
	begin(&fit, &classes);
	fit.launch_part = 0.1;
	assert_near(fit_ci95_j(&fit, &some, 1),
		SURE * sqrt(3. / 16 + 0.75 * pow(0.1 * 112.5 * 0.5, 2) / 5), 1e-9);
	end(&fit);
}

/* Two classes that share a power and differ from it by 10 W, in 1 and 2 s.  Together they draw what
 * the readings say: given that a + 2 b is 0 the variance of a is 1 - 1/5, of 2 b 4 - 4²/5, times
 * 10². */
static void rare_classes_differ_but_not_in_all(void **state)
{
	static const double nothing[4];
	struct classes classes;
	struct fit_amount both[2];
	struct fit fit;

	(void)state;
	begin(&fit, &classes);
	classes.columns.count = classes.rare_columns = 1;
	classes.rare = 2;
	classes.rare_squares = 1 * 1 + 2 * 2;
	fit.powers = 2;
	fit.rare_w = 10;
	g_free(fit.covariance);
	fit.covariance = g_memdup2(nothing, sizeof(nothing));
	for (guint i = 0; i < 2; i++) {
		class_at(&fit, i)->rare = true;
		class_at(&fit, i)->column = 0;
		class_at(&fit, i)->time_ns = class_at(&fit, i)->raked_ns = (i + 1) * 1e9;
		both[i] = all_of(&fit, i);
	}
	assert_near(fit_ci95_j(&fit, &both[0], 1), SURE * 10 * sqrt(0.8), 1e-9);
	assert_near(fit_ci95_j(&fit, &both[1], 1), SURE * 10 * sqrt(0.8), 1e-9);
	assert_near(fit_ci95_j(&fit, both, 2), 0, 1e-6);
	end(&fit);
}

/* A bias of b standard deviations is outside of ±(1.645 + b) in 5 % of all cases on its own side,
 * and hardly ever on the other. */
static void an_interval_holds_what_raking_has_moved(void **state)
{
	(void)state;
	assert_near(fit_half_width(10, 0), 19.6, 1e-12);
	assert_near(fit_half_width(10, 2), 19.6, 1e-12);
	assert_near(fit_half_width(10, 5), 16.45 + 5, 1e-12);
	assert_near(fit_half_width(10, -5), 16.45 + 5, 1e-12);
	assert_near(fit_half_width(0, 5), 5, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sum_has_the_variance_of_its_parts_and_between_them),
		cmocka_unit_test(what_raking_moved_widens_an_interval),
		cmocka_unit_test(an_influence_adds_what_is_not_known_of_it),
		cmocka_unit_test(some_executions_may_be_unlike_the_class),
		cmocka_unit_test(rare_classes_differ_but_not_in_all),
		cmocka_unit_test(an_interval_holds_what_raking_has_moved),
	};

	return cmocka_run_group_tests_name("amount", tests, NULL, NULL);
}
