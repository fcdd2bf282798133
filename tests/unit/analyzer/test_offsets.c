/* SPDX-License-Identifier: MIT */
/*
 * The offsets of replays, worked out by hand.  A kernel of 100 W runs all the time, in the second
 * half in a replay, on a device that draws 50 W in any case, and a sensor reads each millisecond.
 * All weights are 1.
 */
#include "analyzer/regress/offsets.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define KERNEL_W 100.
#define STATIC_W 50.
#define ROWS 100
#define REPLAYED (ROWS / 2) /* the last rows */

enum { KERNEL, STATIC, POWERS };

struct bench {
	struct one_gpu gpu;
	struct fit fit;
	struct power_reading readings[ROWS];
	double weight[ROWS];
	struct design *design;
	struct blocks blocks;
	struct normal_equations *folds[BLOCKS_FOLDS];
	struct offsets offsets;
};

static void begin(struct bench *bench)
{
	const struct response_shape shape = {.window_ns = MS};
	const struct model_span replay = {REPLAYED * MS, ROWS * MS};
	GArray *replays = g_array_new(FALSE, FALSE, sizeof(replay));

	*bench = (struct bench){.fit = {.powers = POWERS}};
	one_gpu_begin(&bench->gpu, MS, ROWS * MS, 1);
	one_gpu_runs_for(&bench->gpu, MODEL_OF_PROGRAM, 0, 0, REPLAYED * MS);
	one_gpu_runs_for(&bench->gpu, MODEL_REPLAYED, 0, REPLAYED * MS, ROWS * MS);
	one_gpu_set_source(&bench->gpu);
	g_array_append_val(replays, replay);
	bench->gpu.source.replays = replays;
	for (int i = 0; i < ROWS; i++) {
		bench->readings[i] = (struct power_reading){.time_ns = (i + 1) * MS,
			.since_ns = (i + 1) * MS,
			.power_w = KERNEL_W + STATIC_W};
		bench->weight[i] = 1;
	}
	response_of_shape(&bench->fit.response, &shape);
	bench->fit.source = &bench->gpu.source;
	bench->fit.classes = classes_of(&bench->gpu.model, &bench->gpu.source);
	bench->design = design_make(&bench->gpu.model, bench->fit.classes, &bench->fit.response,
		bench->readings, ROWS, &bench->fit.influences);
	bench->blocks = blocks_of(bench->readings, ROWS);
	for (int i = 0; i < BLOCKS_FOLDS; i++)
		bench->folds[i] = normal_new(POWERS);
	for (guint row = 0; row < ROWS; row++)
		normal_add_row(
			bench->folds[blocks_fold(&bench->blocks, bench->readings[row].time_ns)],
			bench->design, row, bench->weight[row]);
	offsets_begin(&bench->offsets, &bench->fit, bench->design, &bench->blocks, STATIC_W);
	offsets_eliminate(&bench->offsets, bench->design, bench->weight, bench->folds);
}

static void end(struct bench *bench)
{
	offsets_end(&bench->offsets);
	for (int i = 0; i < BLOCKS_FOLDS; i++)
		normal_free(bench->folds[i]);
	design_free(bench->design);
	classes_free(bench->fit.classes);
	g_array_unref(bench->gpu.source.replays);
	one_gpu_end(&bench->gpu);
}

static guint rows_of(const struct offset *offset)
{
	return offset->end - offset->first;
}

/* 1 % of the static power, and each reading of the replay has one offset, that of its block. */
static void each_reading_of_a_replay_has_an_offset(void **state)
{
	struct bench bench;
	guint rows = 0;

	(void)state;
	begin(&bench);
	assert_float_equal(1 / sqrt(bench.offsets.prior), 0.01 * STATIC_W, 2e-3);
	assert_true(offsets_count(&bench.offsets) > 1);
	for (guint i = 0; i < offsets_count(&bench.offsets); i++) {
		const struct offset *offset = offsets_at(&bench.offsets, i);

		assert_int_equal(offset->first, REPLAYED + rows);
		assert_int_equal(offset->fold,
			blocks_fold(&bench.blocks, bench.readings[offset->first].time_ns));
		rows += rows_of(offset);
	}
	assert_int_equal(rows, REPLAYED);
	for (guint row = 0; row < ROWS; row++)
		assert_float_equal(bench.offsets.share[row], row >= REPLAYED, 1e-6);
	end(&bench);
}

/* The mean of n readings of a replay has a variance of 1 / n and that of the offset, so that they
 * tell the kernel's power and the reading with a weight of n / (1 + n / prior). */
static void readings_of_a_replay_tell_no_more_than_its_offset_lets_them(void **state)
{
	struct bench bench;
	double told = REPLAYED, matrix = 0, right = 0, freedom = 0;

	(void)state;
	begin(&bench);
	for (guint i = 0; i < offsets_count(&bench.offsets); i++) {
		double n = rows_of(offsets_at(&bench.offsets, i));

		told += n / (1 + n / bench.offsets.prior);
		freedom += n / (n + bench.offsets.prior);
	}
	for (int i = 0; i < BLOCKS_FOLDS; i++) {
		matrix += bench.folds[i]->matrix[KERNEL * POWERS + KERNEL];
		right += bench.folds[i]->right[KERNEL];
	}
	assert_float_equal(matrix, told, 1e-4);
	assert_float_equal(right, told * (KERNEL_W + STATIC_W), 1e-2);
	assert_float_equal(offsets_effective(&bench.offsets), freedom, 1e-6);
	end(&bench);
}

/* The readings of a replay are 1 W higher than expected: the offset is what their mean and the
 * prior make of it, and stays so when it is estimated again. */
static void an_offset_is_told_by_residuals_and_the_prior(void **state)
{
	struct bench bench;
	double residual_w[ROWS];

	(void)state;
	begin(&bench);
	for (int row = 0; row < ROWS; row++)
		residual_w[row] = row >= REPLAYED;
	for (int times = 0; times < 2; times++) {
		offsets_find(&bench.offsets, bench.weight, residual_w);
		for (guint i = 0; i < offsets_count(&bench.offsets); i++) {
			const struct offset *offset = offsets_at(&bench.offsets, i);
			double n = rows_of(offset), expected_w = n / (n + bench.offsets.prior);

			assert_float_equal(offset->found_w, expected_w, 1e-6);
			assert_float_equal(residual_w[offset->first], 1 - expected_w, 1e-6);
			assert_float_equal(
				offsets_w(&bench.offsets, offset->first), expected_w, 1e-6);
		}
		assert_float_equal(residual_w[0], 0, 0);
		assert_float_equal(offsets_w(&bench.offsets, 0), 0, 0);
	}
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reading_of_a_replay_has_an_offset),
		cmocka_unit_test(readings_of_a_replay_tell_no_more_than_its_offset_lets_them),
		cmocka_unit_test(an_offset_is_told_by_residuals_and_the_prior),
	};

	return cmocka_run_group_tests_name("offsets", tests, NULL, NULL);
}
