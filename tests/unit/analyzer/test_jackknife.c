/* SPDX-License-Identifier: MIT */
/* What residuals that are alike for a while say of the static power alone, worked out by hand. */
#include "analyzer/regress/jackknife.h"

#include <math.h>

#include "tests/unit/unit.h"

enum { CLASS, STATIC, LAG, WINDOW, TAIL, QUANTITIES };

#define ROWS (3 * JACKKNIFE_STRETCHES)
#define SECOND_NS 1e9

struct bench {
	struct classes classes;
	struct source source;
	struct fit fit;
	struct design design;
	struct regression regression;
	struct joint_fit joint;
	struct power_reading readings[ROWS];
	gsize first[ROWS + 1];
	double weight[ROWS], residual_w[ROWS], flat[ROWS], prior[QUANTITIES], power_w[STATIC + 1];
};

/* A reading a second, of 1 W², in which nothing ran; three in a row are off by 1 W, the next by -1.
 * Nothing is known before but a class, by 1 W, and that the response's parameters do not matter. */
static void begin(struct bench *bench)
{
	*bench = (struct bench){.prior = {1, 0, 1, 1, 1}, .power_w = {100, 100}};
	bench->fit = (struct fit){.source = &bench->source,
		.period_ns = 0.4 * SECOND_NS,
		.classes = &bench->classes,
		.power_w = bench->power_w,
		.powers = STATIC + 1};
	bench->design = (struct design){.rows = ROWS,
		.readings = bench->readings,
		.first = bench->first,
		.entries = g_array_new(FALSE, FALSE, sizeof(struct design_entry))};
	bench->regression = (struct regression){.fit = &bench->fit,
		.design = &bench->design,
		.weight = bench->weight,
		.residual_w = bench->residual_w};
	bench->joint = (struct joint_fit){.n = QUANTITIES,
		.nuisances = {.slope = {bench->flat, bench->flat, bench->flat}},
		.prior = bench->prior};
	for (guint row = 0; row < ROWS; row++) {
		bench->readings[row].time_ns = row * SECOND_NS;
		bench->weight[row] = 1;
		bench->residual_w[row] = row / 3 % 2 ? -1 : 1;
	}
}

static struct jackknife jackknife(struct bench *bench)
{
	struct covariance_sums *sums = covariance_sums_new();
	struct jackknife found;

	for (size_t i = 0; i < bench->joint.n; i++) {
		covariance_sums_add(sums, i, 1);
		covariance_sums_end(sums);
	}
	found = jackknife_of(&bench->regression, &bench->joint, sums);
	covariance_sums_free(sums);
	g_array_free(bench->design.entries, TRUE);
	return found;
}

static void stretches_are_parts_of_the_time(void **state)
{
	struct bench bench;
	guint count, *stretch_of;

	(void)state;
	begin(&bench);
	stretch_of = jackknife_stretches(&bench.regression, &count);
	assert_int_equal(count, JACKKNIFE_STRETCHES);
	for (guint row = 0; row < ROWS; row++)
		assert_int_equal(stretch_of[row], row / 3);
	g_free(stretch_of);
	g_array_free(bench.design.entries, TRUE);
}

/*
 * In the first half of the time kernels were replayed.  A reading is the mean of one second, and a
 * block is three times as long: ten blocks, in ten stretches.  The other readings last
 * 31 s, in stretches of 3 (1 + 0.4) s.
 */
static void replays_are_in_many_stretches(void **state)
{
	struct bench bench;
	struct model_span span = {0, (ROWS / 2) * SECOND_NS - 1};
	guint count, *stretch_of;

	(void)state;
	begin(&bench);
	response_of_shape(&bench.fit.response, &(struct response_shape){.window_ns = SECOND_NS});
	bench.source.replays = g_array_new(FALSE, FALSE, sizeof(span));
	g_array_append_val(bench.source.replays, span);
	stretch_of = jackknife_stretches(&bench.regression, &count);
	assert_int_equal(count, 10);
	for (guint row = 2; row < ROWS / 2; row++)
		assert_int_equal(stretch_of[row], (row - 1) / 3);
	assert_int_equal(stretch_of[ROWS - 1], 7);
	g_free(stretch_of);
	g_array_free(bench.source.replays, TRUE);
	g_array_free(bench.design.entries, TRUE);
}

/*
 * The static power is the mean of 60 readings.  Without a stretch, whose three residuals are alike,
 * it is the mean of 57 and differs by 3/57 W; so the variance is 19/20 · 20 · (3/57)² = 1/19 W²,
 * where readings that are independent would have 1/60.
 */
static void stretches_that_are_alike_are_overdispersed(void **state)
{
	struct bench bench;
	struct jackknife found;

	(void)state;
	begin(&bench);
	found = jackknife(&bench);
	assert_true(fabs(found.variance[STATIC] - 1. / 19) < 1e-12);
	assert_true(fabs(found.weighing[STATIC] - JACKKNIFE_STRETCHES) < 1e-9);
	jackknife_clear(&found);
}

/* Of which half of the time tells nothing: ten stretches of weight 3 and ten of 0 count as
 * 30² / (10·3²) = 10, and each moves the mean of 27 others by 3/27 W; so the variance is
 * 9/10 · 10 · (3/27)² W², 1/9 as of ten numbers that are 1 or -1. */
static void stretches_that_do_not_weigh_do_not_tell(void **state)
{
	struct bench bench;
	struct jackknife found;

	(void)state;
	begin(&bench);
	for (guint row = ROWS / 2; row < ROWS; row++)
		bench.weight[row] = 0;
	found = jackknife(&bench);
	assert_true(fabs(found.variance[STATIC] - 1. / 9) < 1e-12);
	assert_true(fabs(found.weighing[STATIC] - 10) < 1e-9);
	jackknife_clear(&found);
}

/* Beside so many classes, the mean of 60 is told by 60 readings also where a stretch is left out,
 * and moves by 3/60 W; so the variance is 20/19 · 20 · (3/60)² W², the same. */
static void many_powers_keep_their_information(void **state)
{
	enum { POWERS = REGRESSION_COLUMNS_FEW, N = POWERS + NUISANCES };
	double *inverse = g_new0(double, N *N), *prior = g_new0(double, N);
	double *power_w = g_new0(double, POWERS);
	struct bench bench;
	struct jackknife found;

	(void)state;
	begin(&bench);
	for (size_t i = 0; i < N; i++) {
		prior[i] = i == POWERS - 1 ? 0 : 1;
		inverse[i * N + i] = i == POWERS - 1 ? 1. / ROWS : 1;
	}
	power_w[POWERS - 1] = 100;
	bench.fit.powers = POWERS;
	bench.fit.power_w = power_w;
	bench.joint.n = N;
	bench.joint.prior = prior;
	bench.joint.inverse = inverse;
	found = jackknife(&bench);
	assert_true(fabs(found.variance[POWERS - 1] - 1. / 19) < 1e-12);
	jackknife_clear(&found);
	g_free(power_w);
	g_free(prior);
	g_free(inverse);
}

/* A kernel ran in the first stretch alone, where readings would have it draw less than nothing: it
 * draws 0 in any case, and moves no other power. */
static void what_is_held_at_nothing_does_not_move(void **state)
{
	struct design_entry entry = {.column = CLASS, .part = 1};
	struct bench bench;
	struct jackknife found;

	(void)state;
	begin(&bench);
	bench.power_w[CLASS] = 0;
	for (guint row = 0; row < ROWS; row++) {
		if (row < 3)
			g_array_append_val(bench.design.entries, entry);
		bench.first[row + 1] = bench.design.entries->len;
	}
	found = jackknife(&bench);
	assert_true(fabs(found.variance[CLASS]) < 1e-12);
	assert_true(fabs(found.variance[STATIC] - 1. / 19) < 1e-12);
	jackknife_clear(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stretches_are_parts_of_the_time),
		cmocka_unit_test(replays_are_in_many_stretches),
		cmocka_unit_test(stretches_that_are_alike_are_overdispersed),
		cmocka_unit_test(stretches_that_do_not_weigh_do_not_tell),
		cmocka_unit_test(many_powers_keep_their_information),
		cmocka_unit_test(what_is_held_at_nothing_does_not_move),
	};

	return cmocka_run_group_tests_name("jackknife", tests, NULL, NULL);
}
