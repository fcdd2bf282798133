/* SPDX-License-Identifier: MIT */
/* How far a fit says that it is off, of readings whose noise is known. */
#include "analyzer/regress/fit.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define PERIOD_MS 100.
#define READINGS 1200
#define STATIC_W 50.
#define A_W 100.
#define B_W -30.
#define BOTH_SECOND 91
#define NOISE_W 2.
#define OFF_W 0.15 /* of the static power, in each block of 2 s */
#define BLOCKS (READINGS / 20)
#define SEEDS 8

static double normal(GRand *random)
{
	return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

/* "a" runs for every other second.  A value of the noise lasts for so many readings. */
static struct fit *fit_with_noise(struct one_gpu *gpu, guint32 seed, int lasts)
{
	GRand *random = g_rand_new_with_seed(seed);
	double noise_w = 0;

	one_gpu_begin(gpu, PERIOD_MS * MS, READINGS * PERIOD_MS * MS, 1);
	for (int second = 1; second < READINGS / 10; second += 2)
		one_gpu_runs(gpu, 0, second * 1000 * MS, (second + 1) * 1000 * MS);
	for (int i = 0; i <= READINGS; i++) {
		noise_w = i % lasts == 0 ? NOISE_W * normal(random) : noise_w;
		one_gpu_reads(gpu, i * PERIOD_MS * MS,
			STATIC_W + ((i - 1) / 10 % 2 && i ? A_W : 0) + noise_w);
	}
	one_gpu_set_source(gpu);
	g_rand_free(random);
	return fit_make(&gpu->model, &gpu->source, NULL);
}

/* What is drawn while "a" runs: its own power and the static one, which is the last. */
static double drawn_w(const struct fit *fit)
{
	return fit->power_w[0] + fit->power_w[fit->powers - 1];
}

static double deviation_of_drawn_w(const struct fit *fit)
{
	size_t n = fit->powers;

	return sqrt(fit->covariance[0] + 2 * fit->covariance[n - 1] + fit->covariance[n * n - 1]);
}

/* By the noise of six hundred readings, and by what the static power is off in sixty blocks. */
static double expected_deviation_w(int lasts)
{
	return hypot(NOISE_W * sqrt(lasts / (READINGS / 2.)), OFF_W / sqrt(BLOCKS));
}

/*
 * Six hundred readings tell what is drawn while "a" runs.  If they are independent it is known to
 * 2 W / √600 = 0.082 W.  Where noise lasts for five readings they say no more than 120, and where
 * it lasts for ten, than 60: by √5 and √10 less.  Of twenty stretches these factors are known to
 * 1/√40 = 16 %, for which Student's distribution makes intervals wider by 4 %; none is narrowed.
 * More than four of 24 intervals miss the truth by chance in one of two hundred cases.
 */
static void noise_that_lasts_widens_intervals_by_its_root(void **state)
{
	static const int lasts[] = {1, 5, 10};
	guint held = 0, all = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lasts); i++) {
		double expected_w = expected_deviation_w(lasts[i]), sum = 0;
		guint count = 0;

		for (guint32 seed = 1; seed <= SEEDS; seed++) {
			struct one_gpu gpu;
			struct fit *fit = fit_with_noise(&gpu, seed, lasts[i]);

			if (!fit->influences.count) {
				sum += deviation_of_drawn_w(fit) / expected_w;
				count++;
				held += fabs(drawn_w(fit) - STATIC_W - A_W) <=
					1.96 * deviation_of_drawn_w(fit);
				all++;
			}
			fit_free(fit);
			one_gpu_end(&gpu);
		}
		print_message("# noise for %d readings: %.2f of what is expected\n", lasts[i],
			sum / count);
		assert_true(count >= SEEDS / 2);
		assert_true(sum / count > 0.85 && sum / count < 1.25);
	}
	print_message("# %u of %u hold the truth\n", held, all);
	assert_true(held >= all - 4);
}

/* "b" runs for a second of the first stretch, in which the sensor reads less than the static power;
 * later for a twentieth of ten readings, and "a" for the rest of them. */
static struct fit *fit_with_less_than_nothing(struct one_gpu *gpu, guint32 seed)
{
	GRand *random = g_rand_new_with_seed(seed);

	one_gpu_begin(gpu, PERIOD_MS * MS, READINGS * PERIOD_MS * MS, 2);
	for (int second = 1; second < READINGS / 10; second += 2) {
		double begin_ms = second * 1000,
		       length_ms = second == BOTH_SECOND ? PERIOD_MS : 1000;

		for (double at_ms = begin_ms; at_ms < begin_ms + 1000; at_ms += length_ms) {
			double b_ms = second == BOTH_SECOND ? 0.05 * length_ms : 0;

			one_gpu_runs(gpu, 0, at_ms * MS, (at_ms + length_ms - b_ms) * MS);
			if (b_ms > 0)
				one_gpu_runs(gpu, 1, (at_ms + length_ms - b_ms) * MS,
					(at_ms + length_ms) * MS);
		}
		if (second == 1)
			one_gpu_runs(gpu, 1, 2000 * MS, 3000 * MS);
	}
	for (int i = 0; i <= READINGS; i++) {
		int second = (i - 1) / 10;
		double power_w = STATIC_W + (second % 2 && i ? A_W : 0) + (second == 2 ? B_W : 0);

		one_gpu_reads(gpu, i * PERIOD_MS * MS,
			power_w - (second == BOTH_SECOND ? 0.05 * A_W : 0) +
				NOISE_W * normal(random));
	}
	one_gpu_set_source(gpu);
	g_rand_free(random);
	return fit_make(&gpu->model, &gpu->source, NULL);
}

/* A kernel that is held at nothing tells nothing of others, also where a stretch is left out
 * without which next to nothing is known of it. */
static void what_is_held_at_nothing_widens_no_interval(void **state)
{
	double expected_w = expected_deviation_w(1), sum = 0;

	(void)state;
	for (guint32 seed = 1; seed <= SEEDS; seed++) {
		struct one_gpu gpu;
		struct fit *fit = fit_with_less_than_nothing(&gpu, seed);

		assert_true(fit->power_w[1] <= 0);
		sum += deviation_of_drawn_w(fit) / expected_w;
		fit_free(fit);
		one_gpu_end(&gpu);
	}
	print_message("# beside what draws nothing: %.2f of what is expected\n", sum / SEEDS);
	assert_true(sum / SEEDS > 0.85 && sum / SEEDS < 1.5);
}

/* Each of nine kernels runs once, for three readings, all alike; NULL where there is no fit. */
static struct fit *fit_of_short_run(struct one_gpu *gpu, guint32 seed)
{
	enum { LASTS = 3, COUNT = (1 + ONE_GPU_KERNELS_MAX) * LASTS };
	GRand *random = g_rand_new_with_seed(seed);

	one_gpu_begin(gpu, PERIOD_MS * MS, COUNT * PERIOD_MS * MS, ONE_GPU_KERNELS_MAX);
	for (int i = 0; i < ONE_GPU_KERNELS_MAX; i++)
		one_gpu_runs(gpu, (uint32_t)i, (i + 1) * LASTS * PERIOD_MS * MS,
			(i + 2) * LASTS * PERIOD_MS * MS);
	for (int i = 0; i <= COUNT; i++)
		one_gpu_reads(gpu, i * PERIOD_MS * MS,
			STATIC_W + (i > LASTS ? A_W : 0) + NOISE_W * normal(random));
	one_gpu_set_source(gpu);
	g_rand_free(random);
	return fit_make(&gpu->model, &gpu->source, NULL);
}

/* Nine powers and the static one fit 30 readings better than they are: the root mean square of the
 * residuals is 2 W · √(20/30) = 1.6 W.  Executions are taken to differ by 2 W, which is known to
 * 1/√(2·20) of one run, and to 2 % of all. */
static void executions_differ_by_what_fitted_powers_took_of_the_residuals(void **state)
{
	enum { RUNS = 64 };
	double sum = 0;

	(void)state;
	for (guint32 seed = 1; seed <= RUNS; seed++) {
		struct one_gpu gpu;
		struct fit *fit = fit_of_short_run(&gpu, seed);
		double mean_w = 0;

		for (guint i = 0; i < fit->fitted->len; i++)
			mean_w += g_array_index(fit->fitted, struct fitted_reading, i).power_w /
				  fit->fitted->len;
		sum += fit->launch_part * mean_w / NOISE_W / RUNS;
		fit_free(fit);
		one_gpu_end(&gpu);
	}
	print_message("# executions differ by %.2f of the noise\n", sum);
	assert_true(fabs(sum - 1) < 0.07);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_that_lasts_widens_intervals_by_its_root),
		cmocka_unit_test(what_is_held_at_nothing_widens_no_interval),
		cmocka_unit_test(executions_differ_by_what_fitted_powers_took_of_the_residuals),
	};

	return cmocka_run_group_tests_name("uncertainty", tests, NULL, NULL);
}
