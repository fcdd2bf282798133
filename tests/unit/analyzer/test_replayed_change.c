/* SPDX-License-Identifier: MIT */
/*
 * Changes of power within readings, worked out by hand.  A kernel of 100 W runs in the program,
 * then in replays, and a sensor that takes the mean over 12 ms reads what all of that time was
 * alike.
 */
#include "analyzer/regress/design/replayed_change.h"

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define KERNEL_W 100.
#define WINDOW_NS (12 * MS)
#define PHASES 4

/* A kernel runs for on_ns and not for off_ns, again and again, for a window of the sensor. */
static void runs(
	struct one_gpu *gpu, enum model_replayed replayed, int phase, double on_ns, double off_ns)
{
	double begin_ns = phase * WINDOW_NS;

	for (int i = 0; (i + 1) * (on_ns + off_ns) <= WINDOW_NS; i++)
		one_gpu_runs_for(gpu, replayed, 0, begin_ns + i * (on_ns + off_ns),
			begin_ns + i * (on_ns + off_ns) + on_ns);
}

/* In the program the kernel runs in bursts of 3 ms; in one replay for 5 us of every 15, in the
 * other in bursts of 3 ms.  A last reading sees the second half of the program and the first of a
 * replay. */
static void coarse_changes_are_told_from_fine_ones(void **state)
{
	const struct response_shape shape = {.window_ns = WINDOW_NS};
	const double at_ns[PHASES] = {WINDOW_NS, 2 * WINDOW_NS, 3 * WINDOW_NS, 1.5 * WINDOW_NS};
	const double power_w[] = {KERNEL_W, 0};
	struct power_reading readings[PHASES];
	struct response response;
	struct replayed_change *changes;
	struct classes *classes;
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, MS, 3 * WINDOW_NS, 1);
	runs(&gpu, MODEL_OF_PROGRAM, 0, 3 * MS, 3 * MS);
	runs(&gpu, MODEL_REPLAYED_COLD, 1, 5e3, 10e3);
	runs(&gpu, MODEL_REPLAYED, 2, 3 * MS, 3 * MS);
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	response_of_shape(&response, &shape);
	for (int i = 0; i < PHASES; i++)
		readings[i] = (struct power_reading){.time_ns = at_ns[i], .since_ns = at_ns[i]};
	changes = replayed_changes_of(classes, &response, readings, PHASES - 1, power_w);
	assert_float_equal(changes[0].part, 0, 1e-6);
	assert_float_equal(changes[1].part, 1, 1e-6);
	assert_float_equal(changes[1].coarse_w2, 0, 1);
	assert_float_equal(changes[2].part, 1, 1e-6);
	assert_float_equal(changes[2].coarse_w2, KERNEL_W * KERNEL_W / 4, 1);
	g_free(changes);
	/* 3 ms of the program's executions, and 2 ms of the replay's. */
	changes = replayed_changes_of(classes, &response, &readings[PHASES - 1], 1, power_w);
	assert_float_equal(changes[0].part, 2. / 5, 1e-3);
	g_free(changes);
	classes_free(classes);
	one_gpu_end(&gpu);
}

static void nothing_is_computed_without_replays(void **state)
{
	const struct power_reading reading = {.time_ns = WINDOW_NS, .since_ns = WINDOW_NS};
	const struct response_shape shape = {.window_ns = WINDOW_NS};
	struct response response;
	struct classes *classes;
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, MS, WINDOW_NS, 1);
	runs(&gpu, MODEL_OF_PROGRAM, 0, 3 * MS, 3 * MS);
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	response_of_shape(&response, &shape);
	assert_null(replayed_changes_of(classes, &response, &reading, 1, (double[]){KERNEL_W}));
	classes_free(classes);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coarse_changes_are_told_from_fine_ones),
		cmocka_unit_test(nothing_is_computed_without_replays),
	};

	return cmocka_run_group_tests_name("replayed change", tests, NULL, NULL);
}
