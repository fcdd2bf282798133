/* SPDX-License-Identifier: MIT */
/* Figures, how they change between two sides, and which changes are significant. */
#include <math.h>

#include "analyzer/compare/change.h"
#include "tests/unit/unit.h"

static void near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within))
		print_error("%.9g is not %.9g\n", value, expected);
	assert_true(fabs(value - expected) <= within);
}

static struct figures figures_of(double time_s, double power_w, double clock_hz, double part95)
{
	struct figures figures = {0};

	figures.value[FIGURE_TIME] = time_s;
	figures.value[FIGURE_POWER] = power_w;
	figures.value[FIGURE_CLOCK] = clock_hz;
	figures.value[FIGURE_BUSY] = 1;
	figures.part95[FIGURE_TIME] = figures.part95[FIGURE_CLOCK] = NAN;
	figures.part95[FIGURE_POWER] = part95;
	figures_complete(&figures);
	return figures;
}

/* A side of runs of so many seconds at 100 W, each with an interval of 3 %. */
static GArray *side_of(guint runs, const double *times_s)
{
	GArray *side = g_array_new(FALSE, FALSE, sizeof(struct figures));

	for (guint i = 0; i < runs; i++) {
		struct figures figures = figures_of(times_s[i], 100, 1e9, 0.03);

		g_array_append_val(side, figures);
	}
	return side;
}

static GArray *one(struct figures figures)
{
	GArray *side = g_array_new(FALSE, FALSE, sizeof(struct figures));

	g_array_append_val(side, figures);
	return side;
}

static struct change change_between(enum figure figure, guint bases, const double *base,
	guint others, const double *other, double unlike95)
{
	GArray *a = side_of(bases, base), *b = side_of(others, other);
	struct change change = change_of(figure, a, b, unlike95, false);

	g_array_free(a, TRUE);
	g_array_free(b, TRUE);
	return change;
}

/* K2 against K1: "Optimizing Performance Under Power Constraints". */
static void the_talk_is_reproduced(void **state)
{
	static const struct {
		struct {
			double time_us, power_w, clock_mhz;
		} k1, k2;
		double percent[FIGURES];
	} table[] = {
		{{277.9, 598, 1400}, {291, 510, 1400}, {4.71, -14.72, -10.70, -6.49, 4.71, 0, 0}},
		{{267.2, 700, 1462}, {267.4, 700, 1530}, {0.07, 0, 0.07, 0.15, 4.73, 4.65, 0}},
		{{370.1, 400, 1045}, {335.8, 400, 1215}, {-9.27, 0, -9.27, -17.68, 5.49, 16.27, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		GArray *k1 = one(figures_of(table[i].k1.time_us / 1e6, table[i].k1.power_w,
			table[i].k1.clock_mhz * 1e6, NAN));
		GArray *k2 = one(figures_of(table[i].k2.time_us / 1e6, table[i].k2.power_w,
			table[i].k2.clock_mhz * 1e6, NAN));

		for (enum figure figure = 0; figure < FIGURES; figure++)
			near(change_of(figure, k1, k2, 0, false).delta * 100,
				table[i].percent[figure], 0.00501);
		g_array_free(k1, TRUE);
		g_array_free(k2, TRUE);
	}
}

static void fewer_than_three_runs_have_the_intervals_of_each(void **state)
{
	GArray *a = one(figures_of(1, 100, 1e9, 0.03)), *b = one(figures_of(1, 110, 1e9, 0.04));
	struct change change = change_of(FIGURE_ENERGY, a, b, 0, false);

	(void)state;
	near(change.delta, 0.1, 1e-12);
	near(change.ci95, 0.05 * 1.1, 1e-12); /* sqrt(0.03² + 0.04²) of the ratio */
	assert_true(change.significant);
	change = change_of(FIGURE_ENERGY, a, b, 0.12, false);
	near(change.ci95, 0.13 * 1.1, 1e-12);
	assert_false(change.significant);
	change = change_of(FIGURE_TIME, a, b, 0, false);
	assert_true(isnan(change.ci95) && isnan(change.p));
	assert_false(change.significant);
	g_array_free(a, TRUE);
	g_array_free(b, TRUE);
}

/* Of the logarithms: a difference of 0.024666, which is 2.887 deviations, at 4.934 degrees of
 * freedom, of which 95 % are within 2.581. */
static void three_runs_are_judged_by_welch(void **state)
{
	struct change change = change_between(FIGURE_TIME, 3, (double[]){1.00, 1.01, 0.99}, 4,
		(double[]){1.02, 1.03, 1.01, 1.04}, 0);
	double mean = log1p(change.delta), half95 = change.ci95 / (1 + change.delta);

	(void)state;
	near(mean, 0.024666, 1e-6);
	near(half95 / mean, 2.581 / 2.887, 1e-3);
	assert_true(change.p > 0.03 && change.p < 0.05);
	assert_true(change.significant);
}

static void runs_that_do_not_differ_at_all_are_exact(void **state)
{
	const double same[] = {1, 1, 1}, longer[] = {1.01, 1.01, 1.01};
	struct change change = change_between(FIGURE_TIME, 3, same, 3, longer, 0);

	(void)state;
	assert_true(change.significant && change.p == 0 && change.ci95 == 0);
	change = change_between(FIGURE_TIME, 3, same, 3, same, 0);
	assert_true(!change.significant && change.p == 1);
	change = change_between(FIGURE_ENERGY, 3, same, 3, longer, 0.05);
	assert_false(change.significant);
	near(change.ci95, hypot(0.05, 0.03 * sqrt(2)) * 1.01, 1e-6);
}

/* A fit takes from one kernel what it gives to another: 3 % and 4 % are 7 % of the ratio. */
static void intervals_of_one_fit_are_added(void **state)
{
	struct figures of_a = figures_of(1, 100, 1e9, 0.03), of_b = figures_of(1, 106, 1e9, 0.04);
	GArray *a = one(of_a), *b = one(of_b);

	(void)state;
	assert_true(change_of(FIGURE_POWER, a, b, 0, false).significant);
	for (guint runs = 1; runs <= 3; runs++) {
		struct change change = change_of(FIGURE_POWER, a, b, 0, true);

		near(change.ci95, 0.07 * 1.06, 1e-6);
		assert_false(change.significant);
		near(change_of(FIGURE_POWER, a, b, 0.24, true).ci95, 0.25 * 1.06, 1e-6);
		g_array_append_val(a, of_a);
		g_array_append_val(b, of_b);
	}
	g_array_free(a, TRUE);
	g_array_free(b, TRUE);
}

/* energy = power time, edp = power time². */
static void energies_are_as_uncertain_as_time_too(void **state)
{
	struct figures figures = figures_of(1, 100, 1e9, 0.03);

	(void)state;
	near(figures.part95[FIGURE_ENERGY], 0.03, 1e-12);
	near(figures.part95[FIGURE_EDP], 0.03, 1e-12);
	figures.part95[FIGURE_TIME] = 0.04;
	figures_complete(&figures);
	near(figures.part95[FIGURE_ENERGY], 0.05, 1e-12);
	near(figures.part95[FIGURE_EDP], hypot(0.03, 0.08), 1e-12);
	figures.part95[FIGURE_POWER] = NAN;
	figures_complete(&figures);
	assert_true(isnan(figures.part95[FIGURE_ENERGY]) && isnan(figures.part95[FIGURE_EDP]));
}

/* Each side's 3 % are wrong alike in all of its runs, however many these are. */
static void what_is_wrong_in_all_runs_stays(void **state)
{
	const double same[] = {1, 1, 1, 1}, longer[] = {1.02, 1.02, 1.02, 1.02};
	struct change change = change_between(FIGURE_ENERGY, 3, same, 4, longer, 0);

	(void)state;
	near(change.ci95, 0.03 * sqrt(2) * 1.02, 1e-6);
	assert_false(change.significant);
	change = change_between(FIGURE_ENERGY, 2, same, 4, longer, 0);
	near(change.ci95, 0.03 * sqrt(2) * 1.02, 1e-6);
	change = change_between(FIGURE_TIME, 3, same, 4, longer, 0);
	assert_true(change.significant && change.ci95 == 0);
}

static void five_percent_of_those_found_may_be_chance(void **state)
{
	struct change list[] = {
		{.p = 0.04}, {.p = 0.001}, {.p = NAN}, {.p = 0.03}, {.p = 0.9}, {.p = 0.012}};
	struct change *changes[] = {&list[0], &list[1], &list[2], &list[3], &list[4], &list[5]};

	(void)state;
	/* Of five: 0.001 <= 0.01 and 0.012 <= 0.02, but 0.03 = 0.03 and 0.04 = 0.04, so four pass.
	 */
	changes_judge(changes, 6);
	assert_true(list[0].significant && list[1].significant && list[3].significant &&
		    list[5].significant);
	assert_false(list[2].significant || list[4].significant);
	list[0].p = 0.041; /* > 0.04 */
	list[3].p = 0.031; /* > 0.03 */
	changes_judge(changes, 6);
	assert_true(list[1].significant && list[5].significant);
	assert_false(list[0].significant || list[3].significant);
}

static void means_keep_products(void **state)
{
	GArray *runs = side_of(2, (double[]){1, 4});
	struct figures mean = figures_mean(runs);

	(void)state;
	near(mean.value[FIGURE_TIME], 2, 1e-12);
	near(mean.value[FIGURE_ENERGY], mean.value[FIGURE_TIME] * mean.value[FIGURE_POWER], 1e-9);
	near(mean.part95[FIGURE_ENERGY], 0.03, 1e-12);
	g_array_free(runs, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_talk_is_reproduced),
		cmocka_unit_test(fewer_than_three_runs_have_the_intervals_of_each),
		cmocka_unit_test(three_runs_are_judged_by_welch),
		cmocka_unit_test(runs_that_do_not_differ_at_all_are_exact),
		cmocka_unit_test(intervals_of_one_fit_are_added),
		cmocka_unit_test(energies_are_as_uncertain_as_time_too),
		cmocka_unit_test(what_is_wrong_in_all_runs_stays),
		cmocka_unit_test(five_percent_of_those_found_may_be_chance),
		cmocka_unit_test(means_keep_products),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
