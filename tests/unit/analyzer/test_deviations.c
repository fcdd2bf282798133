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
#define READ_W 200.
#define ROWS 10
#define CLOCK_MHZ 2000

enum { KERNEL, READ, STATIC, POWERS, QUANTITIES = POWERS + NUISANCES };

struct times {
	double own_ms, replay_ms; /* of an execution of the program, and of the replay */
	double varies; /* the program's take longer by this part, and less, each every third time */
	bool clocked;  /* the clock was sampled, which stays the same */
	bool reads;    /* other memory is read after each execution of the replay */
	double ends;   /* by this part of the first one, each execution of the replay is shorter */
	bool drifts;   /* the static power may drift */
};

/* What weights of the program's readings and of the replay's are multiplied by; 1 if by nothing. */
static double trust[2];

/* The variance that is added to the kernel's power.  Sets trust. */
static double variance_w2(enum model_replayed replayed, struct times times)
{
	const struct response_shape shape = {.window_ns = MS};
	struct power_reading readings[ROWS];
	double weight[ROWS], flat[ROWS] = {0}, inverse[QUANTITIES * QUANTITIES] = {0};
	double power_w[POWERS] = {KERNEL_W, READ_W, STATIC_W}, covariance[POWERS * POWERS] = {0};
	struct joint_fit joint = {
		.n = QUANTITIES, .nuisances = {.slope = {flat, flat, flat}}, .inverse = inverse};
	struct fit fit = {.powers = POWERS, .power_w = power_w, .covariance = covariance};
	struct regression regression = {.fit = &fit, .weight = weight};
	const struct model_replay replay = {.span = {ROWS / 2 * MS, ROWS * MS}};
	struct offset offset = {.first = ROWS / 2, .end = ROWS, .of_replay = true};
	double share[ROWS];
	struct one_gpu gpu;

	one_gpu_begin(&gpu, MS, ROWS * MS, 1);
	for (int i = 0; i < ROWS / 2; i++)
		one_gpu_runs_for(&gpu, MODEL_OF_PROGRAM, 0, i * MS,
			(i + times.own_ms * pow(1 + times.varies, i % 3 - 1)) * MS);
	for (int i = ROWS / 2; i < ROWS; i += MAX((int)times.replay_ms, 1)) {
		double ms = times.replay_ms * (1 - times.ends * (i - ROWS / 2));

		one_gpu_runs_for(&gpu, replayed, 0, i * MS, (i + ms) * MS);
		one_gpu_runs_for(&gpu, MODEL_REPLAYED, 1, (i + ms) * MS,
			(i + ms + (times.reads ? 0.5 : 0)) * MS);
	}
	for (int i = 0; i < ROWS; i++) {
		readings[i] = (struct power_reading){.time_ns = (i + 1) * MS,
			.since_ns = (i + 1) * MS,
			.power_w = KERNEL_W + STATIC_W};
		weight[i] = share[i] = 1;
	}
	if (times.drifts) {
		regression.offsets.list = g_array_new(FALSE, FALSE, sizeof(offset));
		regression.offsets.share = share;
		g_array_append_val(regression.offsets.list, offset);
	}
	if (times.clocked) {
		one_gpu_is(&gpu, 0, CLOCK_MHZ, 0);
		one_gpu_is(&gpu, ROWS * MS, CLOCK_MHZ, 0);
	}
	gpu.model.replays = g_array_new(FALSE, FALSE, sizeof(replay));
	g_array_append_val(gpu.model.replays, replay);
	one_gpu_set_source(&gpu);
	response_of_shape(&fit.response, &shape);
	fit.source = &gpu.source;
	fit.classes = classes_of(&gpu.model, &gpu.source);
	paces_find(&gpu.model, fit.classes);
	regression.design = design_make(
		&gpu.model, fit.classes, &fit.response, readings, ROWS, &fit.influences);
	inverse[KERNEL * QUANTITIES + KERNEL] = 0.2;
	deviations_weigh(&regression, &gpu.model);
	trust[0] = fit.trust ? fit.trust[0] : 1;
	trust[1] = fit.trust ? fit.trust[ROWS - 1] : 1;
	g_free(fit.trust);
	deviations_add(&regression, &joint, &gpu.model);
	for (int i = 1; i < POWERS * POWERS; i++)
		assert_float_equal(covariance[i], 0, 1e-9);
	if (times.drifts)
		g_array_unref(regression.offsets.list);
	design_free(regression.design);
	classes_free(fit.classes);
	g_array_unref(gpu.model.replays);
	one_gpu_end(&gpu);
	return covariance[KERNEL];
}

/* What is added where a replay deviates by so many watts, and readings tell of the kernel a part of
 * what it draws. */
static double expected_w2(double squares_w2, double part)
{
	return pow(part, 4) * squares_w2;
}

static const struct times same = {1, 1, .clocked = true};

/* By 2 % of the kernel's power, which are 2 W. */
static void replays_deviate(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, same), expected_w2(2 * 2, 1), 1e-3);
}

static void they_deviate_more_where_no_clock_is_known(void **state)
{
	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, (struct times){1, 1, .clocked = false}),
		expected_w2(4 * 4, 1), 1e-3);
}

/* At the same clock a kernel takes five times as long: the logarithm is the deviation.  A replay
 * that draws less weighs less, and changes the readings by less. */
static void they_deviate_by_durations_that_the_clock_does_not_explain(void **state)
{
	double off_w = KERNEL_W * log(5), drawn = exp(-0.05 / 2);

	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, (struct times){1, 5, .clocked = true}),
		expected_w2(2 * 2 + off_w * off_w, drawn), 1e-1);
}

/* It waits for a part of a short difference, which is not known. */
static void they_deviate_by_a_third_of_small_differences(void **state)
{
	double off_w = 0.3 * KERNEL_W * log(1 / 0.98), drawn = sqrt(0.98);

	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, (struct times){0.98, 1, .clocked = true}),
		expected_w2(2 * 2 + off_w * off_w, drawn), 1e-3);
}

/* The longer ones, of which each has a third, take 1.1 times as long as the shorter ones.  The
 * replay runs for 0.9 ms of each. */
static void cold_ones_deviate_by_how_much_the_program_varies(void **state)
{
	const struct times varied = {0.9, 0.9, .varies = 0.1, .clocked = true};
	double spread_w = KERNEL_W * log(1.1) / 2;

	(void)state;
	assert_float_equal(variance_w2(MODEL_REPLAYED, varied), expected_w2(2 * 2, 0.9), 1e-3);
	assert_float_equal(variance_w2(MODEL_REPLAYED_COLD, varied),
		expected_w2(2 * 2 + spread_w * spread_w, 0.9), 1e-3);
	assert_float_equal(variance_w2(MODEL_REPLAYED_COLD, same), expected_w2(2 * 2, 1), 1e-3);
}

/* They find in the cache as much as the program does, and take 0.9 * 1.003 ms as it does. */
static void mixed_ones_vary_as_the_program_does(void **state)
{
	const struct times varied = {0.9, 0.9, .varies = 0.1, .clocked = true};

	(void)state;
	assert_float_equal(
		variance_w2(MODEL_REPLAYED_MIXED, varied), expected_w2(2 * 2, 0.9 * 1.003), 5e-2);
}

/* The replay tells the power with a variance of 1 / told, and deviates by that much beyond 5 %. */
static void replays_that_deviate_by_much_weigh_less(void **state)
{
	double drawn = exp(-0.05 / 2), told = ROWS / 2 * pow(drawn * KERNEL_W, 2);

	(void)state;
	variance_w2(MODEL_REPLAYED, (struct times){1, 5, .clocked = true});
	assert_float_equal(trust[0], 1, 1e-9);
	assert_float_equal(trust[1] * (1 + told * (log(5) * log(5) - 0.05 * 0.05)), 1, 1e-3);
	variance_w2(MODEL_REPLAYED, (struct times){0.96, 1, .clocked = true});
	assert_float_equal(trust[1], 1, 1e-9);
}

/* The reads take half of each millisecond, and 0.25 % of their power is 0.5 W. */
static void reads_between_deviate(void **state)
{
	const struct times half = {0.5, 0.5, .clocked = true, .reads = true};

	(void)state;
	assert_float_equal(
		variance_w2(MODEL_REPLAYED, half), expected_w2(2 * 2 + 0.5 * 0.5, 0.5), 1e-3);
}

/* By 0.15 W at either end, where the replay's five executions take from 1 ms to 0.2 ms: the
 * readings tell 0.15 W of it all, and the fit a fifth of that.  Of executions that take the same,
 * they tell nothing. */
static void the_static_power_drifts_in_a_replay(void **state)
{
	struct times ending = {0.6, 1, .clocked = true, .ends = 0.2}, alike = same;
	double before_w2 = variance_w2(MODEL_REPLAYED, ending);

	(void)state;
	ending.drifts = alike.drifts = true;
	assert_float_equal(variance_w2(MODEL_REPLAYED, ending) - before_w2, pow(0.15 / 5, 2), 1e-7);
	assert_float_equal(
		variance_w2(MODEL_REPLAYED, alike), variance_w2(MODEL_REPLAYED, same), 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replays_deviate),
		cmocka_unit_test(they_deviate_more_where_no_clock_is_known),
		cmocka_unit_test(they_deviate_by_durations_that_the_clock_does_not_explain),
		cmocka_unit_test(they_deviate_by_a_third_of_small_differences),
		cmocka_unit_test(cold_ones_deviate_by_how_much_the_program_varies),
		cmocka_unit_test(mixed_ones_vary_as_the_program_does),
		cmocka_unit_test(replays_that_deviate_by_much_weigh_less),
		cmocka_unit_test(reads_between_deviate),
		cmocka_unit_test(the_static_power_drifts_in_a_replay),
	};

	return cmocka_run_group_tests_name("deviations", tests, NULL, NULL);
}
