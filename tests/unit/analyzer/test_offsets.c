/* SPDX-License-Identifier: MIT */
/*
 * The offsets of the static power, worked out by hand.  A kernel of 100 W runs all the time, in the
 * second half in two replays, on a device that draws 50 W in any case, and a sensor reads each
 * millisecond. All weights are 1.
 */
#include "analyzer/regress/offsets.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define KERNEL_W 100.
#define STATIC_W 50.
#define ROWS 100
#define REPLAYED (ROWS / 2)    /* the last rows */
#define SECOND (REPLAYED + 30) /* that of the second replay */

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
	const struct model_span replays_ns[] = {
		{REPLAYED * MS, SECOND * MS}, {SECOND * MS, ROWS * MS}};
	GArray *replays = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	*bench = (struct bench){.fit = {.powers = POWERS}};
	one_gpu_begin(&bench->gpu, MS, ROWS * MS, 1);
	one_gpu_runs_for(&bench->gpu, MODEL_OF_PROGRAM, 0, 0, REPLAYED * MS);
	one_gpu_runs_for(&bench->gpu, MODEL_REPLAYED, 0, REPLAYED * MS, ROWS * MS);
	one_gpu_set_source(&bench->gpu);
	g_array_append_vals(replays, replays_ns, G_N_ELEMENTS(replays_ns));
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
	offsets_begin(&bench->offsets, &bench->fit, bench->design, &bench->blocks, STATIC_W);
	for (guint row = 0; row < ROWS; row++)
		normal_add_row(bench->folds[offsets_fold(
				       &bench->offsets, bench->design, &bench->blocks, row)],
			bench->design, row, bench->weight[row]);
	offsets_eliminate(&bench->offsets, bench->design, bench->weight, bench->folds);
}

static void end_bench(struct bench *bench)
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

/* All readings of a replay have one offset, 1 % of the static power, and are in one fold, whatever
 * block they are in; others have that of their block, 0.3 %. */
static void each_replay_and_each_block_has_an_offset(void **state)
{
	struct bench bench;
	guint end = 0, replays = 0;

	(void)state;
	begin(&bench);
	for (guint i = 0; i < offsets_count(&bench.offsets); i++) {
		const struct offset *offset = offsets_at(&bench.offsets, i);
		double begin_ns = offset->first >= REPLAYED ? offset->first * MS
							    : bench.readings[offset->first].time_ns;

		assert_float_equal(1 / sqrt(offset->prior),
			(offset->first >= REPLAYED ? 0.01 : 0.003) * STATIC_W, 2e-3);
		assert_int_equal(offset->first, end);
		end = offset->end;
		for (guint row = offset->first; row < end; row++) {
			assert_int_equal(bench.offsets.of_row[row], i);
			assert_float_equal(bench.offsets.share[row], 1, 1e-6);
			assert_int_equal(
				offsets_fold(&bench.offsets, bench.design, &bench.blocks, row),
				blocks_fold(&bench.blocks, begin_ns));
			if (offset->first < REPLAYED)
				assert_int_equal(
					blocks_at(&bench.blocks, bench.readings[row].time_ns), i);
		}
		if (offset->first >= REPLAYED)
			assert_int_equal(offset->first, replays++ ? SECOND : REPLAYED);
	}
	assert_int_equal(end, ROWS);
	assert_int_equal(replays, 2);
	end_bench(&bench);
}

/* The mean of n readings that share an offset has a variance of 1 / n and that of the offset: they
 * tell the kernel's power and the reading with a weight of n / (1 + n / prior). */
static void readings_tell_no_more_than_their_offset_lets_them(void **state)
{
	struct bench bench;
	double told = 0, matrix = 0, right = 0, freedom = 0;

	(void)state;
	begin(&bench);
	for (guint i = 0; i < offsets_count(&bench.offsets); i++) {
		const struct offset *offset = offsets_at(&bench.offsets, i);
		double n = rows_of(offset);

		told += n / (1 + n / offset->prior);
		freedom += n / (n + offset->prior);
	}
	for (int i = 0; i < BLOCKS_FOLDS; i++) {
		matrix += bench.folds[i]->matrix[KERNEL * POWERS + KERNEL];
		right += bench.folds[i]->right[KERNEL];
	}
	assert_float_equal(matrix, told, 1e-4);
	assert_float_equal(right, told * (KERNEL_W + STATIC_W), 1e-2);
	assert_float_equal(offsets_effective(&bench.offsets), freedom, 1e-6);
	end_bench(&bench);
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
			double n = rows_of(offset), expected_w = n / (n + offset->prior);

			if (offset->first < REPLAYED)
				expected_w = 0;

			assert_float_equal(offset->found_w, expected_w, 1e-6);
			assert_float_equal(residual_w[offset->first],
				(offset->first >= REPLAYED) - expected_w, 1e-6);
			assert_float_equal(
				offsets_w(&bench.offsets, offset->first), expected_w, 1e-6);
		}
		assert_float_equal(residual_w[0], 0, 0);
		assert_float_equal(offsets_w(&bench.offsets, 0), 0, 0);
	}
	end_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_replay_and_each_block_has_an_offset),
		cmocka_unit_test(readings_tell_no_more_than_their_offset_lets_them),
		cmocka_unit_test(an_offset_is_told_by_residuals_and_the_prior),
	};

	return cmocka_run_group_tests_name("offsets", tests, NULL, NULL);
}
