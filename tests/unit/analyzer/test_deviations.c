/* SPDX-License-Identifier: MIT */
/*
 * What deviations of replays add to a covariance, worked out by hand.  A kernel of 100 W runs for 5
 * ms in the program and for 5 ms in a replay, on a device that draws 50 W in any case, and a sensor
 * reads each millisecond.  What is fitted gives the kernel a fifth of the sum of all its readings:
 * where it draws 1 W more in the replay, the fit is 1 W higher.
 */
#include "analyzer/regress/deviations.h"

#include <math.h>

#include "analyzer/regress/design/paces.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define KERNEL_W 100.
#define STATIC_W 50.
#define ROWS 10
#define CLOCK_MHZ 2000

enum { KERNEL, STATIC, POWERS, QUANTITIES = POWERS + NUISANCES };

/* The variance that is added to the kernel's power, where each execution of the replay takes so
 * long.  clocked: the clock was sampled, which stays the same. */
static double variance_w2(enum model_replayed replayed, int replay_ms, bool clocked)
{
	const struct response_shape shape = {.window_ns = MS};
	struct power_reading readings[ROWS];
	double weight[ROWS], flat[ROWS] = {0}, inverse[QUANTITIES * QUANTITIES] = {0};
	double power_w[POWERS] = {KERNEL_W, STATIC_W}, covariance[POWERS * POWERS] = {0};
	struct joint_fit joint = {
		.n = QUANTITIES, .nuisances = {{flat, flat, flat}}, .inverse = inverse};
	struct fit fit = {.powers = POWERS, .power_w = power_w, .covariance = covariance};
	struct regression regression = {.fit = &fit, .weight = weight};
	struct one_gpu gpu;

	one_gpu_begin(&gpu, MS, ROWS * MS, 1);
	for (int i = 0; i < ROWS / 2; i++)
		one_gpu_runs_for(&gpu, MODEL_OF_PROGRAM, 0, i * MS, (i + 1) * MS);
	for (int i = ROWS / 2; i < ROWS; i += replay_ms)
		one_gpu_runs_for(&gpu, replayed, 0, i * MS, (i + replay_ms) * MS);
	for (int i = 0; i < ROWS; i++) {
		readings[i] = (struct power_reading){.time_ns = (i + 1) * MS,
			.since_ns = (i + 1) * MS,
			.power_w = KERNEL_W + STATIC_W};
		weight[i] = 1;
	}
	if (clocked) {
		one_gpu_is(&gpu, 0, CLOCK_MHZ, 0);
		one_gpu_is(&gpu, ROWS * MS, CLOCK_MHZ, 0);
	}
	one_gpu_set_source(&gpu);
	response_of_shape(&fit.response, &shape);
	fit.source = &gpu.source;
	fit.classes = classes_of(&gpu.model, &gpu.source);
	fit.classes->pace_of_origin = paces_of(&gpu.model, fit.classes);
	regression.design = design_make(
		&gpu.model, fit.classes, &fit.response, readings, ROWS, &fit.influences);
	inverse[KERNEL * QUANTITIES + KERNEL] = 0.2;
	deviations_add(&regression, &joint, &gpu.model);
	for (int i = 1; i < POWERS * POWERS; i++)
		assert_float_equal(covariance[i], 0, 1e-9);
	design_free(regression.design);
	classes_free(fit.classes);
	one_gpu_end(&gpu);
	return covariance[KERNEL];
}

/* 2 % of the static power are 1 W, and as much of the kernel's are 2 W. */
static void replays_deviate(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, 1, true), 2 * 2 + 1, 1e-3);
}

static void they_deviate_more_where_no_clock_is_known(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, 1, false), 4 * 4 + 1, 1e-3);
}

/* At the same clock a kernel takes five times as long: the logarithm is the deviation. */
static void they_deviate_by_durations_that_the_clock_does_not_explain(void **state)
{
	double off_w = KERNEL_W * log(5);

	(void)state;
	assert_float_equal(
		variance_w2(MODEL_REPLAYED, ROWS / 2, true), 2 * 2 + 1 + off_w * off_w, 1e-1);
}

/* What it writes and reads is not as in the program: 3.5 % of its power. */
static void they_deviate_by_what_a_cold_cache_does_not_tell(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED_COLD, 1, true), 2 * 2 + 1 + 3.5 * 3.5, 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replays_deviate),
		cmocka_unit_test(they_deviate_more_where_no_clock_is_known),
		cmocka_unit_test(they_deviate_by_durations_that_the_clock_does_not_explain),
		cmocka_unit_test(they_deviate_by_what_a_cold_cache_does_not_tell),
	};

	return cmocka_run_group_tests_name("deviations", tests, NULL, NULL);
}
