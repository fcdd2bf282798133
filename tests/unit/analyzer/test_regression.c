/* SPDX-License-Identifier: MIT */
/* What a fit starts from, and the width of its prior, worked out by hand. */
#include "analyzer/regress/regression.h"

#include <math.h>

#include "analyzer/numeric/solve.h"
#include "tests/unit/analyzer/varied_work.h"
#include "tests/unit/analyzer/worked_example.h"

#define MS 1e6
#define PERIOD_MS 100
#define READINGS 30
#define IDLE_W 50.
#define A_W 100.
#define B_W 80.

/* A mean since the reading before. */
static const struct response_shape box = {0, PERIOD_MS *MS, 0};

struct bench {
	struct one_gpu gpu;
	struct fit fit;
	struct regression regression;
	GArray *readings;
};

/* Of three seconds, a kernel "a" runs throughout the second, and "b" in the second half of each
 * reading of the third, in so many executions. */
static void run(struct one_gpu *gpu, int executions)
{
	double length_ms = PERIOD_MS / 2. / executions;

	one_gpu_begin(gpu, PERIOD_MS * MS, READINGS * PERIOD_MS * MS, 2);
	for (int row = 10; row < 20; row++)
		one_gpu_runs(gpu, 0, row * PERIOD_MS * MS, (row + 1) * PERIOD_MS * MS);
	for (int row = 20; row < READINGS; row++)
		for (int i = 0; i < executions; i++) {
			double begin_ms = (row + 0.5) * PERIOD_MS + i * length_ms;

			one_gpu_runs(gpu, 1, begin_ms * MS, (begin_ms + length_ms) * MS);
		}
}

/* The sensor says nothing but the truth.  A first reading, at 0, has none before it. */
static void begin(struct bench *bench, int executions, double idle_w)
{
	run(&bench->gpu, executions);
	for (int i = 0; i <= READINGS; i++)
		one_gpu_reads(&bench->gpu, i * PERIOD_MS * MS,
			i <= 10 ? idle_w : IDLE_W + (i <= 20 ? A_W : B_W / 2));
	one_gpu_set_source(&bench->gpu);
	bench->fit = (struct fit){.source = &bench->gpu.source,
		.period_ns = PERIOD_MS * MS,
		.classes = classes_of(&bench->gpu.model, &bench->gpu.source),
		.powers = 3,
		.power_w = g_new0(double, 3)};
	for (guint i = 0; i < 2; i++) {
		const struct kernel_class *class =
			&g_array_index(bench->fit.classes->list, struct kernel_class, i);

		bench->fit.power_w[class->column] = class->origin->kernel == 1 ? A_W : B_W;
	}
	response_of_shape(&bench->fit.response, &box);
	bench->readings = readings_of(&bench->gpu.source, NULL);
	assert_int_equal(bench->readings->len, READINGS);
	regression_begin(&bench->regression, &bench->fit, &bench->gpu.model, bench->readings);
}

static void end(struct bench *bench)
{
	regression_end(&bench->regression);
	g_array_free(bench->readings, TRUE);
	classes_free(bench->fit.classes);
	g_free(bench->fit.power_w);
	one_gpu_end(&bench->gpu);
}

/* Ten readings of 50 W saw nothing run.  Above that, ten saw a with 100 W all the time and ten b
 * with 40 W half of the time: (1000 + 400) W in 10 + 5 readings.  Powers may differ
 * by a part of the most that is read, 150 W. */
static void the_prior_is_about_what_running_adds(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, 1, IDLE_W);
	assert_near(bench.regression.prior.low_w, IDLE_W, 1e-9);
	assert_near(bench.regression.prior.typical_w, 1400. / 15, 1e-3);
	assert_near(bench.regression.prior.widest_w, PRIOR_SPREAD * (IDLE_W + A_W), 0.01);
	end(&bench);
}

/* Where the device was seen idle, what running adds is known, and what a class adds follows its
 * size. Else it is not known what is static, so that sizes would tell too much. */
static void sizes_tell_powers_of_a_device_that_was_idle(void **state)
{
	struct expectation sizes[] = {{0.5, 0.1}, {1.5, 0.2}};
	struct class_prior prior;
	struct bench bench;

	(void)state;
	begin(&bench, 1, IDLE_W);
	bench.fit.expected = sizes;
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		prior = regression_class_prior(&bench.regression, i);
		assert_near(prior.mean_w, sizes[i].mean * 1400 / 15, 1e-3);
		assert_near(1 / sqrt(prior.precision), sizes[i].deviation * 1400 / 15, 1e-3);
	}
	bench.regression.prior.fit_expects = false;
	prior = regression_class_prior(&bench.regression, 0);
	assert_near(prior.mean_w, 1400. / 15, 1e-3);
	assert_near(1 / sqrt(prior.precision), bench.regression.prior.widest_w, 1e-3);
	end(&bench);
}

/* What kernels of a size draw tells nothing of one that another recording has measured. */
static void a_library_takes_the_place_of_sizes(void **state)
{
	struct expectation sizes[] = {{0.5, 0.1}, {1.5, 0.2}};
	struct remembered *remembered = remembered_new(G_N_ELEMENTS(sizes), 0);
	struct class_prior prior;
	struct bench bench;

	(void)state;
	begin(&bench, 1, IDLE_W);
	bench.fit.expected = sizes;
	bench.fit.remembered = remembered;
	remembered->column[0].measured = true;
	prior = regression_class_prior(&bench.regression, 0);
	assert_near(prior.mean_w, 1400. / 15, 1e-3);
	assert_near(1 / sqrt(prior.precision), bench.regression.prior.widest_w, 1e-3);
	prior = regression_class_prior(&bench.regression, 1);
	assert_near(prior.mean_w, 1.5 * 1400 / 15, 1e-3);
	bench.fit.remembered = NULL;
	remembered_free(remembered);
	end(&bench);
}

/*
 * A reading of 90 W that saw b for half of its time, in one execution, which is as long as half of
 * what a reading sees: 80²·1/2·1/2 W².  In ten executions, each a twentieth: 80²·1/2·1/20 W².  One
 * that saw a all the time, in one execution of its length, has 100²·1·1 W².  The power of the first
 * varies by 80²·1/2 − (80·1/2)² W², that of the last not at all.
 */
static void noise_has_terms_by_reading(void **state)
{
	static const int executions[] = {1, 10};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct noise_row *rows;
		struct bench bench;

		begin(&bench, executions[i], IDLE_W);
		rows = bench.regression.terms;
		assert_near(rows[25].term[NOISE_FLOOR], 1, 0);
		assert_near(rows[25].term[NOISE_PART], 90 * 90, 1e-9);
		assert_near(rows[25].term[NOISE_BUSY], 0.25, 1e-6);
		assert_near(rows[25].term[NOISE_EXECUTIONS], B_W * B_W / 4 / executions[i], 1e-2);
		assert_near(rows[25].term[NOISE_CHANGE], B_W * B_W / 4, 1e-2);
		assert_near(rows[15].term[NOISE_EXECUTIONS], A_W * A_W, 1e-2);
		assert_near(rows[15].term[NOISE_CHANGE], 0, 1e-2);
		assert_near(rows[5].term[NOISE_EXECUTIONS], 0, 0);
		end(&bench);
	}
}

/* Without noise, but for what rounding to milliwatts leaves, powers are what they are: the prior,
 * of hundreds of watts, moves them by less than a milliwatt in a thousand. */
static void exact_readings_tell_exact_powers(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, 1, IDLE_W);
	assert_true(regression_solve(&bench.regression));
	for (guint i = 0; i < 2; i++) {
		const struct kernel_class *class =
			&g_array_index(bench.fit.classes->list, struct kernel_class, i);

		assert_near(bench.fit.power_w[class->column],
			class->origin->kernel == 1 ? A_W : B_W, 0.01);
	}
	assert_near(bench.fit.power_w[2], IDLE_W, 0.01);
	end(&bench);
}

/* No power can be negative: what draws less while it runs than idling does is taken to draw
 * nothing. */
static void no_power_is_negative(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, 1, 2 * (IDLE_W + A_W));
	assert_true(regression_solve(&bench.regression));
	for (size_t i = 0; i < 3; i++)
		assert_true(bench.fit.power_w[i] >= 0);
	end(&bench);
}

/* By how many powers readings tell more than the prior: of nearly exact ones, by all. */
static double told_of(const struct regression *regression)
{
	size_t powers = regression->fit->powers;
	double *inverse = g_new0(double, powers *powers), told = 0;

	regression_add_normal(regression, inverse, powers);
	assert_true(solve_invert(powers, inverse));
	for (size_t i = 0; i + 1 < powers; i++)
		told += 1 - inverse[i * powers + i] * regression->prior_weight[i];
	g_free(inverse);
	return told;
}

/* Powers of 80, 150, 220 and 290 W about their typical one, and what is assumed, which counts as
 * four of them: the width is the root of the mean of these squares, as far as each is told. */
static void the_width_of_the_prior_is_that_of_the_powers(void **state)
{
	const struct work_plan plan = {
		.seed = 1, .seconds = 20, .noise_w = 1, .shape = {0, WORK_PERIOD_NS, 0}};
	struct fit fit = {.period_ns = WORK_PERIOD_NS, .powers = WORK_KERNELS + 1};
	double squares = 0, told, widest_w;
	struct regression regression;
	struct one_gpu gpu;
	GArray *readings;

	(void)state;
	work_begin(&gpu, &plan);
	fit.source = &gpu.source;
	fit.classes = classes_of(&gpu.model, &gpu.source);
	fit.power_w = g_new0(double, fit.powers);
	response_of_shape(&fit.response, &plan.shape);
	readings = readings_of(&gpu.source, NULL);
	regression_begin(&regression, &fit, &gpu.model, readings);
	assert_true(regression_solve(&regression));
	widest_w = regression.prior.widest_w;
	told = told_of(&regression);
	assert_near(told, WORK_KERNELS, 0.01);
	for (size_t i = 0; i < WORK_KERNELS; i++)
		squares += pow(fit.power_w[i] - regression.prior.typical_w, 2);
	squares += 4 * widest_w * widest_w;
	assert_near(
		regression.prior.spread * widest_w, sqrt(squares / (4 + told)), 0.02 * widest_w);
	assert_true(regression.prior.spread < 0.99);
	regression_end(&regression);
	g_array_free(readings, TRUE);
	classes_free(fit.classes);
	g_free(fit.power_w);
	one_gpu_end(&gpu);
}

/* Another recording has measured "a" at 130 W, give or take 10 W and its spread of 5 %. */
static void readings_that_vary_more_than_their_noise_count_for_less(void **state)
{
	const double told_w = 130, deviation_w = 10, excess[] = {0, 1e6};
	struct remembered *remembered = remembered_new(2, 1);
	guint recording = remembered_add_recording(remembered, 0);
	double found_w[2];
	struct bench bench;
	size_t a;

	(void)state;
	begin(&bench, 1, IDLE_W);
	a = bench.fit.power_w[0] > bench.fit.power_w[1] ? 0 : 1;
	g_array_index(remembered->recordings, struct remembered_recording, recording).seen_w[a] =
		told_w;
	remembered->column[a] =
		(struct remembered_column){.as = REMEMBERED_SAME, .measured = true, .spread = 0.05};
	remembered->recording[0] = recording;
	remembered->part[a] = 1 / deviation_w;
	remembered->sum[0] = told_w / deviation_w;
	bench.fit.remembered = remembered;
	for (size_t i = 0; i < G_N_ELEMENTS(excess); i++) {
		bench.fit.excess_variance = excess[i];
		assert_true(regression_solve(&bench.regression));
		found_w[i] = bench.fit.power_w[a];
	}
	assert_near(found_w[0], A_W, 2);
	assert_near(found_w[1], told_w, 10);
	remembered_free(remembered);
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_prior_is_about_what_running_adds),
		cmocka_unit_test(sizes_tell_powers_of_a_device_that_was_idle),
		cmocka_unit_test(a_library_takes_the_place_of_sizes),
		cmocka_unit_test(noise_has_terms_by_reading),
		cmocka_unit_test(exact_readings_tell_exact_powers),
		cmocka_unit_test(no_power_is_negative),
		cmocka_unit_test(the_width_of_the_prior_is_that_of_the_powers),
		cmocka_unit_test(readings_that_vary_more_than_their_noise_count_for_less),
	};

	return cmocka_run_group_tests_name("regression", tests, NULL, NULL);
}
