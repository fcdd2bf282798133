/* SPDX-License-Identifier: MIT */
/*
 * What deviations of replays add to a covariance, worked out by hand.  A kernel of 100 W runs for 5
 * ms in the program and for 5 ms in a replay, on a device that draws 50 W in any case, and a sensor
 * reads each millisecond.  What is fitted gives the kernel a fifth of the sum of all its readings:
 * where it draws 1 W more in the replay, the fit is 1 W higher.
 */
#include "analyzer/regress/deviations.h"

#include <math.h>

#include "tests/unit/analyzer/kind_called.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define KERNEL_W 100.
#define STATIC_W 50.
#define ROWS 10
#define CLOCK_MHZ 2000

enum { KERNEL, REPLAY, STATIC, POWERS, QUANTITIES = POWERS + NUISANCES };

/* The variance that is added to the kernel's power, with that clock in the replay; 0: none was
 * sampled. */
static double variance_w2(uint32_t clock_mhz)
{
	const struct response_shape shape = {.window_ns = MS};
	struct power_reading readings[ROWS];
	double weight[ROWS], flat[ROWS] = {0}, inverse[QUANTITIES * QUANTITIES] = {0};
	double power_w[POWERS] = {KERNEL_W, 0, STATIC_W}, covariance[POWERS * POWERS] = {0};
	struct joint_fit joint = {
		.n = QUANTITIES, .nuisances = {{flat, flat, flat}}, .inverse = inverse};
	struct fit fit = {.powers = POWERS, .power_w = power_w, .covariance = covariance};
	struct regression regression = {.fit = &fit, .weight = weight};
	struct one_gpu gpu;

	one_gpu_begin(&gpu, MS, ROWS * MS, 1);
	for (int i = 0; i < ROWS; i++) {
		one_gpu_runs_for(&gpu, i < ROWS / 2 ? MODEL_OF_PROGRAM : MODEL_REPLAYED, 0, i * MS,
			(i + 1) * MS);
		readings[i] = (struct power_reading){.time_ns = (i + 1) * MS,
			.since_ns = (i + 1) * MS,
			.power_w = KERNEL_W + STATIC_W};
		weight[i] = 1;
	}
	if (clock_mhz) {
		one_gpu_is(&gpu, 0, CLOCK_MHZ, 0);
		/* In the mean it began half of the sensor's period before it is read. */
		one_gpu_is(&gpu, (ROWS / 2 + 0.5) * MS, clock_mhz, 0);
		one_gpu_is(&gpu, (ROWS + 0.5) * MS, clock_mhz, 0);
	}
	one_gpu_set_source(&gpu);
	response_of_shape(&fit.response, &shape);
	fit.classes = classes_of(&gpu.model, &gpu.source);
	fit.influences.list[0] = (struct influence){.kind = kind_called("replay"), .end = ROWS};
	fit.influences.count = 1;
	influence_compute(&fit.influences.list[0], &gpu.model, fit.classes, power_w);
	regression.design = design_make(
		&gpu.model, fit.classes, &fit.response, readings, ROWS, &fit.influences);
	inverse[KERNEL * QUANTITIES + KERNEL] = 0.2;
	deviations_add(&regression, &joint, &gpu.model);
	for (int i = 1; i < POWERS * POWERS; i++)
		assert_float_equal(covariance[i], 0, 1e-9);
	design_free(regression.design);
	influence_clear(&fit.influences.list[0]);
	classes_free(fit.classes);
	one_gpu_end(&gpu);
	return covariance[KERNEL];
}

/* 2 % of the static power are 1 W, and 2.5 % of the kernel's are 2.5 W. */
static void replays_deviate(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(CLOCK_MHZ), 2.5 * 2.5 + 1, 1e-3);
}

static void they_deviate_more_where_no_clock_is_known(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(0), 4 * 4 + 1, 1e-3);
}

/* At 9/10 of the clock a kernel draws (9/10)² of its power, which no influence tells: half of the
 * logarithm is the deviation. */
static void they_deviate_by_clocks_that_nothing_tells(void **state)
{
	double more_w = KERNEL_W * log(0.9);

	(void)state;
	assert_float_equal(variance_w2(1800), 2.5 * 2.5 + 1 + more_w * more_w, 1e-2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replays_deviate),
		cmocka_unit_test(they_deviate_more_where_no_clock_is_known),
		cmocka_unit_test(they_deviate_by_clocks_that_nothing_tells),
	};

	return cmocka_run_group_tests_name("deviations", tests, NULL, NULL);
}
