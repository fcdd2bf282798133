/* SPDX-License-Identifier: MIT */
/* The two kernels that FinGraV describes, and bins of times. */
#include "analyzer/profile/steady.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define EXECUTIONS 50
#define US 1e3

struct kernel {
	double times_s[EXECUTIONS];
	struct steady_power powers[EXECUTIONS];
};

/* Warm-up as FinGraV saw it; from the fourth on, the powers of `first`, then always the last. */
static void fill(struct kernel *kernel, const double *first, guint count)
{
	static const double times[] = {1.30, 1.12, 1.06};

	for (guint i = 0; i < EXECUTIONS; i++) {
		kernel->times_s[i] = i < 3 ? times[i] : 1;
		kernel->powers[i] = (struct steady_power){first[MIN(i, count - 1)], 2, INFINITY};
	}
}

/* CB-8K-GEMM: a sharp rise, a drop, and a slow rise. */
static const double overshoot[] = {520, 640, 600, 500, 510, 520, 530, 538, 545, 545, 560};

static void a_kernel_that_overshoots(void **state)
{
	struct kernel kernel;

	(void)state;
	fill(&kernel, overshoot, G_N_ELEMENTS(overshoot));
	assert_int_equal(steady_execution(kernel.times_s, EXECUTIONS, 0.02), 4);
	assert_int_equal(steady_execution(kernel.times_s, EXECUTIONS, 0.05), 4);
	assert_int_equal(steady_power(kernel.powers, 20, 4, 0.02), 11);
}

/* CB-2K-GEMM: a gradual rise to the 40th. */
static void a_kernel_that_rises(void **state)
{
	struct kernel kernel;
	double rise[40];

	(void)state;
	for (guint i = 0; i < 40; i++)
		rise[i] = 250 + 250 * pow(i / 39., 3);
	fill(&kernel, rise, 40);
	assert_int_equal(steady_power(kernel.powers, EXECUTIONS, 4, 0.02), 40);
}

static void three_must_follow(void **state)
{
	struct kernel kernel;

	(void)state;
	fill(&kernel, overshoot, G_N_ELEMENTS(overshoot));
	assert_int_equal(steady_power(kernel.powers, 14, 4, 0), 11);
	assert_int_equal(steady_power(kernel.powers, 13, 4, 0), 0);
}

static void an_interval_excuses_a_power(void **state)
{
	struct steady_power powers[] = {
		{530, 40, INFINITY}, {550, 1, INFINITY}, {550, 1, INFINITY}, {550, 1, INFINITY}};

	(void)state;
	assert_int_equal(steady_power(powers, 4, 1, 0.02), 1);
	powers[0].ci95_w = 5;
	assert_int_equal(steady_power(powers, 4, 1, 0.02), 0);
}

static void unknown_powers_are_passed_over(void **state)
{
	const struct steady_power powers[] = {{NAN, NAN, INFINITY}, {550, 1, INFINITY},
		{NAN, NAN, INFINITY}, {550, 1, INFINITY}, {550, 1, INFINITY}, {550, NAN, INFINITY}};

	(void)state;
	assert_int_equal(steady_power(powers, 6, 1, 0.02), 2);
	assert_int_equal(steady_power(powers, 5, 1, 0.02), 0);
}

/* Ten runs of one execution: three of 100 us, five of 120 to 122, two of 150. */
static void the_fullest_bin_is_golden(void **state)
{
	static const guint times_us[] = {100, 120, 150, 121, 100, 122, 120, 150, 121, 100};
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	bool chosen[G_N_ELEMENTS(times_us)];
	struct steady_bin bin;
	struct runs *runs;

	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(times_us); i++) {
		const struct model_span span = {
			i * 1000000, i * 1000000 + times_us[i] * (uint64_t)US};

		g_array_append_val(spans, span);
		chosen[i] = true;
	}
	runs = runs_of_spans(spans, 0);
	bin = steady_choose_golden(runs, 1, 0.02, NAN, chosen);
	assert_true(fabs(bin.low_s - 120e-6) < 1e-12 && fabs(bin.high_s - 122.4e-6) < 1e-12);
	for (guint i = 0; i < G_N_ELEMENTS(times_us); i++) {
		assert_int_equal(chosen[i], times_us[i] >= 120 && times_us[i] <= 122);
		chosen[i] = i != 2;
	}
	steady_choose_golden(runs, 1, 0.02, 149e-6, chosen);
	for (guint i = 0; i < G_N_ELEMENTS(times_us); i++)
		assert_int_equal(chosen[i], i == 7);
	runs_free(runs);
	g_array_free(spans, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_that_overshoots),
		cmocka_unit_test(a_kernel_that_rises),
		cmocka_unit_test(three_must_follow),
		cmocka_unit_test(an_interval_excuses_a_power),
		cmocka_unit_test(unknown_powers_are_passed_over),
		cmocka_unit_test(the_fullest_bin_is_golden),
	};

	return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}
