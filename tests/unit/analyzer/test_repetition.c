/* SPDX-License-Identifier: MIT */
/*
 * What repetition hides, worked out by hand.  Five readings each, of 1 W², saw nothing, "a" alone,
 * half of "a" and half of "b", and "b" alone.
 *
 *	     (  25/4   5/4  15/2 )              ( 11/30   1/6  -1/5 )
 *	N  = (   5/4  25/4  15/2 )   C = N⁻¹  = (   1/6 11/30  -1/5 )
 *	     (  15/2  15/2   20  )              (  -1/5  -1/5   1/5 )
 *
 * If "a" draws 1 W more where it is seen beside "b", its five readings are 0.5 W higher, which the
 *fit takes for (11/30 + 1/6)·5/4 - 1/5·5/2 = 1/6 W more of either class and, as -1/5·5/2 + 1/5·5/2
 *= 0, nothing of the static power.  A third of all that is seen of "a" is there, so that in the
 * mean it draws 1/3 W more: the fit is off by -1/6 and 1/6 W.  Where it is seen alone, with the
 *other two thirds, it is 11/30·5 - 1/5·5 - 2/3 = 1/6 and 1/6·5 - 1/5·5 = -1/6 W.  Of "b" it is the
 *same, the other way round.
 */
#include "analyzer/regress/repetition.h"

#include "tests/unit/analyzer/worked_example.h"

enum { A, B, STATIC, POWERS, QUANTITIES = POWERS + NUISANCES };

#define PLACE_ROWS 5
#define ROWS (4 * PLACE_ROWS)
#define WIDTH_NS 1e6

struct bench {
	struct classes classes;
	struct fit fit;
	struct design design;
	struct regression regression;
	struct joint_fit joint;
	struct power_reading readings[ROWS];
	gsize first[ROWS + 1];
	double weight[ROWS], flat[ROWS], inverse[QUANTITIES * QUANTITIES];
};

static void add_entry(struct design *design, uint32_t column, float part)
{
	const struct design_entry entry = {column, part};

	if (part > 0)
		g_array_append_val(design->entries, entry);
}

static void begin(struct bench *bench, double length_ns)
{
	static const float parts[4][2] = {{0, 0}, {1, 0}, {0.5, 0.5}, {0, 1}};
	static const double covariance[POWERS][POWERS] = {{11. / 30, 1. / 6, -1. / 5},
		{1. / 6, 11. / 30, -1. / 5}, {-1. / 5, -1. / 5, 1. / 5}};
	static const double power_w[POWERS] = {100, 200, 50};

	*bench = (struct bench){
		.joint = {.n = QUANTITIES,
			.nuisances = {.slope = {bench->flat, bench->flat, bench->flat}}},
		.classes = {.columns = {.count = STATIC},
			.list = g_array_new(FALSE, FALSE, sizeof(struct kernel_class))},
		.design = {.rows = ROWS, .own = STATIC, .columns = STATIC}};
	for (uint32_t i = 0; i < STATIC; i++) {
		const struct kernel_class class = {
			.column = i, .executions = 10, .time_ns = 10 * length_ns};

		g_array_append_val(bench->classes.list, class);
	}
	bench->design.readings = bench->readings;
	bench->design.first = bench->first;
	bench->design.entries = g_array_new(FALSE, FALSE, sizeof(struct design_entry));
	for (guint row = 0; row < ROWS; row++) {
		bench->weight[row] = 1;
		add_entry(&bench->design, A, parts[row / PLACE_ROWS][A]);
		add_entry(&bench->design, B, parts[row / PLACE_ROWS][B]);
		bench->first[row + 1] = bench->design.entries->len;
	}
	bench->fit = (struct fit){.classes = &bench->classes,
		.powers = POWERS,
		.power_w = g_memdup2(power_w, sizeof(power_w)),
		.covariance = g_new0(double, POWERS *POWERS),
		.response = {.step_ns = WIDTH_NS, .taps = 1}};
	bench->regression = (struct regression){
		.fit = &bench->fit, .design = &bench->design, .weight = bench->weight};
	bench->joint.inverse = bench->inverse;
	for (size_t i = 0; i < POWERS; i++)
		for (size_t k = 0; k < POWERS; k++)
			bench->inverse[i * QUANTITIES + k] = covariance[i][k];
}

static void end(struct bench *bench)
{
	g_array_free(bench->classes.list, TRUE);
	g_array_free(bench->design.entries, TRUE);
	g_free(bench->fit.power_w);
	g_free(bench->fit.covariance);
}

static void assert_added(double length_ns, double variance_w2)
{
	const double added[POWERS * POWERS] = {
		variance_w2, -variance_w2, 0, -variance_w2, variance_w2, 0};
	struct bench bench;

	begin(&bench, length_ns);
	repetition_add(&bench.regression, &bench.joint);
	for (size_t i = 0; i < POWERS * POWERS; i++)
		assert_near(bench.fit.covariance[i], added[i], 1e-9);
	end(&bench);
}

/* 3 % of 100 and 200 W are 3 and 6 W, in two places each: (3² + 6²) · 2 · (1/6)² = 2.5 W², which
 * one class has more and the other less. */
static void places_that_differ_are_taken_for_classes_that_do(void **state)
{
	(void)state;
	assert_added(WIDTH_NS, 2.5);
}

/* Of executions of a thirty-second of what a reading sees, four fit into the eighth by which
 * readings are alike: a quarter of the variance. */
static void short_executions_average_out(void **state)
{
	(void)state;
	assert_added(WIDTH_NS / 32, 2.5 / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_that_differ_are_taken_for_classes_that_do),
		cmocka_unit_test(short_executions_average_out),
	};

	return cmocka_run_group_tests_name("repetition", tests, NULL, NULL);
}
