/* SPDX-License-Identifier: MIT */
/* What residuals that are alike for a while say of the static power alone, worked out by hand. */
#include "analyzer/regress/scatter.h"

#include <math.h>

#include "tests/unit/unit.h"

enum { STATIC, LAG, WINDOW, TAIL, QUANTITIES };

#define ROWS 60
#define BLOCKS 6
#define SECOND_NS 1e9

struct bench {
	struct classes classes;
	struct fit fit;
	struct design design;
	struct regression regression;
	struct nuisances nuisances;
	struct power_reading readings[ROWS];
	gsize first[ROWS + 1];
	double weight[ROWS], residual_w[ROWS], flat[ROWS];
};

/* A reading a second, of 1 W², in which nothing ran; ten in a row are off by 1 W, the next by -1 W.
 */
static void begin(struct bench *bench)
{
	*bench = (struct bench){.nuisances = {{bench->flat, bench->flat, bench->flat}}};
	bench->fit = (struct fit){.period_ns = SECOND_NS,
		.classes = &bench->classes,
		.powers = STATIC + 1,
		.response = {.step_ns = SECOND_NS, .taps = 1}};
	bench->design =
		(struct design){.rows = ROWS, .readings = bench->readings, .first = bench->first};
	bench->regression = (struct regression){.fit = &bench->fit,
		.design = &bench->design,
		.weight = bench->weight,
		.residual_w = bench->residual_w};
	for (guint row = 0; row < ROWS; row++) {
		bench->readings[row].time_ns = row * SECOND_NS;
		bench->weight[row] = 1;
		bench->residual_w[row] = row / 10 % 2 ? -1 : 1;
	}
}

/* 59 s in six parts are 9.83 s, so that a block begins with every tenth reading. */
static void blocks_are_parts_of_the_time(void **state)
{
	struct bench bench;
	guint count, *block_of;

	(void)state;
	begin(&bench);
	block_of = scatter_blocks(&bench.regression, BLOCKS, &count);
	assert_int_equal(count, BLOCKS);
	for (guint row = 0; row < ROWS; row++)
		assert_int_equal(block_of[row], row / 10);
	g_free(block_of);
}

/*
 * The static power is the mean of the readings: a residual moves it by a sixtieth.  A block,
 * whose ten residuals are alike, moves it by 10/60, and the sum of their squares is 6/36 = 1/6 W²,
 * where readings that are independent would have 60/60² = 1/60.  Overdispersion is 10, as it must
 * be: 60 readings say no more than 6.  All blocks weigh the same, so that six tell.
 */
static void blocks_that_are_alike_are_overdispersed(void **state)
{
	double lines[QUANTITIES * QUANTITIES] = {1. / ROWS};
	struct scatter scatter;
	struct bench bench;

	(void)state;
	begin(&bench);
	scatter = scatter_of(&bench.regression, &bench.nuisances, lines, QUANTITIES, BLOCKS);
	assert_true(fabs(scatter.variance[STATIC] - 1. / 6) < 1e-12);
	assert_true(fabs(scatter.effective_blocks[STATIC] - BLOCKS) < 1e-9);
	scatter_clear(&scatter);
}

/* Of which half of the time tells nothing: three blocks of weight 10 and three of 0 count as
 * 30² / (3·10²) = 3. */
static void blocks_that_do_not_weigh_do_not_tell(void **state)
{
	double lines[QUANTITIES * QUANTITIES] = {1. / 30};
	struct scatter scatter;
	struct bench bench;

	(void)state;
	begin(&bench);
	for (guint row = 30; row < ROWS; row++)
		bench.weight[row] = 0;
	scatter = scatter_of(&bench.regression, &bench.nuisances, lines, QUANTITIES, BLOCKS);
	assert_true(fabs(scatter.variance[STATIC] - 3 * pow(10. / 30, 2)) < 1e-12);
	assert_true(fabs(scatter.effective_blocks[STATIC] - 3) < 1e-9);
	scatter_clear(&scatter);
}

/* Of tables of the chi-square distribution, divided by the degrees of freedom. */
static void quantiles_are_those_of_tables(void **state)
{
	static const struct {
		double freedom, z, quantile;
	} rows[] = {
		{10, 0, 9.342 / 10},
		{10, 2.326, 23.209 / 10},
		{10, -2.326, 2.558 / 10},
		{30, 0, 29.336 / 30},
		{30, 1.645, 43.773 / 30},
		{100, -1.645, 77.929 / 100},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_true(fabs(scatter_quantile(rows[i].freedom, rows[i].z) - rows[i].quantile) <
			    0.005);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_parts_of_the_time),
		cmocka_unit_test(blocks_that_are_alike_are_overdispersed),
		cmocka_unit_test(blocks_that_do_not_weigh_do_not_tell),
		cmocka_unit_test(quantiles_are_those_of_tables),
	};

	return cmocka_run_group_tests_name("scatter", tests, NULL, NULL);
}
