/* SPDX-License-Identifier: MIT */
/* By how many watts influences move executions, worked out by hand. */
#include "analyzer/regress/design/influence.h"

#include <math.h>
#include <string.h>

#include "tests/unit/analyzer/kind_called.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define A_W 100.
#define B_W 300.

static void assert_values(
	const struct one_gpu *gpu, const char *name, double parameter, const double *expected_w)
{
	struct classes *classes = classes_of(&gpu->model, &gpu->source);
	struct influence influence = {.kind = kind_called(name),
		.parameter = parameter,
		.end = gpu->model.executions->len};
	double power_w[ONE_GPU_KERNELS_MAX] = {0};

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		power_w[class->column] = class->origin->kernel == 1 ? A_W : B_W;
	}
	influence_compute(&influence, &gpu->model, classes, power_w);
	for (guint i = 0; i < influence.end; i++)
		assert_true(fabs(influence_w(&influence, i) - expected_w[i]) < 1e-4);
	influence_clear(&influence);
	classes_free(classes);
}

/* "a" runs for 10, 10 and 20 ms, so that its median is 10 ms, and the last ran at half the speed.
 */
static void speed_counts_from_the_median(void **state)
{
	/* to the power m: ((1/2)^m - 1) / m */
	static const double linear[] = {0, 0, -0.5 * A_W}, squared[] = {0, 0, -0.375 * A_W};
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, 10 * MS, 60 * MS, 2);
	one_gpu_runs(&gpu, 0, 0, 10 * MS);
	one_gpu_runs(&gpu, 0, 10 * MS, 20 * MS);
	one_gpu_runs(&gpu, 0, 20 * MS, 40 * MS);
	one_gpu_set_source(&gpu);
	assert_values(&gpu, "speed", 1, linear);
	assert_values(&gpu, "speed", 2, squared);
	one_gpu_end(&gpu);
}

/* At a clock that did not change the last one did twice the work. */
static void speed_counts_as_far_as_clocks_were_sampled(void **state)
{
	/* A mean clock of 1 GHz, and 0.8 GHz at least. */
	static const double steady[] = {0, 0, 0}, slower[] = {0, 0, -0.2 * A_W};
	static const uint32_t clocks_mhz[][2] = {{1000, 1000}, {800, 1200}};
	static const double *const expected_w[] = {steady, slower};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct one_gpu gpu;

		one_gpu_begin(&gpu, 10 * MS, 60 * MS, 2);
		one_gpu_runs(&gpu, 0, 0, 10 * MS);
		one_gpu_runs(&gpu, 0, 10 * MS, 20 * MS);
		one_gpu_runs(&gpu, 0, 20 * MS, 40 * MS);
		one_gpu_is(&gpu, 0, clocks_mhz[i][0], 0);
		one_gpu_is(&gpu, 15 * MS, clocks_mhz[i][1], 0);
		one_gpu_is(&gpu, 60 * MS, clocks_mhz[i][1], 0);
		one_gpu_set_source(&gpu);
		assert_values(&gpu, "speed", 1, expected_w[i]);
		one_gpu_end(&gpu);
	}
}

/*
 * "a" and then "b" for τ each, τ without work, "a" for τ; all of it begins cold.
 *
 * Over an execution of length τ a state that fades by exp(-t / τ) is (1 - 1/e) of its first value
 * in the mean and 1/e of it at the end.
 */
static void begin_fading(struct one_gpu *gpu, double tau_ns)
{
	one_gpu_begin(gpu, 10 * MS, 10 * tau_ns, 2);
	one_gpu_runs(gpu, 0, tau_ns, 2 * tau_ns);
	one_gpu_runs(gpu, 1, 2 * tau_ns, 3 * tau_ns);
	one_gpu_runs(gpu, 0, 4 * tau_ns, 5 * tau_ns);
	one_gpu_set_source(gpu);
}

/* The state is 1 at first, 1/e when "b" begins and 1/e² when it ends; of the rest, idling for τ
 * takes 1 - 1/e, so that it is 1 - (1 - 1/e²)/e when "a" begins again. */
static void a_device_is_cold_after_it_idled(void **state)
{
	const double left = exp(-1), mean = 1 - left, tau_ns = 4 * MS;
	const double expected_w[] = {
		-A_W * mean, -B_W * mean * left, -A_W * mean * (1 - (1 - left * left) * left)};
	struct one_gpu gpu;

	(void)state;
	begin_fading(&gpu, tau_ns);
	assert_values(&gpu, "idle", tau_ns, expected_w);
	one_gpu_end(&gpu);
}

/* What is still drawn of what ran before is 0 at first, then a·(1 - 1/e), and of what "b" adds to
 * that as much again; of which idling for τ leaves 1/e. */
static void what_ran_before_is_still_drawn(void **state)
{
	const double left = exp(-1), mean = 1 - left, tau_ns = 4 * MS;
	const double after_a = A_W * mean, after_b = after_a + (B_W - after_a) * mean;
	const double expected_w[] = {
		(0 - A_W) * mean, (after_a - B_W) * mean, (after_b * left - A_W) * mean};
	struct one_gpu gpu;

	(void)state;
	begin_fading(&gpu, tau_ns);
	assert_values(&gpu, "before", tau_ns, expected_w);
	one_gpu_end(&gpu);
}

/* "a" is replayed, of the program's kernels "a" and "b": its power is that in the program. */
static void a_replay_draws_less_than_the_program(void **state)
{
	static const double expected_w[] = {0, 0, -A_W, 0};
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, 10 * MS, 60 * MS, 2);
	one_gpu_runs(&gpu, 0, 0, 10 * MS);
	one_gpu_runs(&gpu, 1, 10 * MS, 20 * MS);
	one_gpu_runs_for(&gpu, MODEL_REPLAYED, 0, 20 * MS, 30 * MS);
	one_gpu_runs_for(&gpu, MODEL_REPLAYED_UNLIKE, 1, 30 * MS, 40 * MS);
	one_gpu_set_source(&gpu);
	assert_values(&gpu, "replay", 0, expected_w);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speed_counts_from_the_median),
		cmocka_unit_test(speed_counts_as_far_as_clocks_were_sampled),
		cmocka_unit_test(a_device_is_cold_after_it_idled),
		cmocka_unit_test(what_ran_before_is_still_drawn),
		cmocka_unit_test(a_replay_draws_less_than_the_program),
	};

	return cmocka_run_group_tests_name("influence values", tests, NULL, NULL);
}
