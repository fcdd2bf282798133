/* SPDX-License-Identifier: MIT */
/* The loop that a program runs, found by what it launched. */
#include "analyzer/regress/loop.h"

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define ROUNDS 60

/* A program, round by round: text names a kernel for each millisecond. */
static struct loop loop_in(const char *(*round)(guint number), guint rounds)
{
	struct one_gpu gpu;
	struct fit fit = {0};
	struct loop loop;
	double now_ns = 0;

	one_gpu_begin(&gpu, 20 * MS, 1e12, ONE_GPU_KERNELS_MAX);
	for (guint i = 0; i < rounds; i++)
		for (const char *kernel = round(i); *kernel; kernel++, now_ns += MS)
			one_gpu_runs(&gpu, (guint)(*kernel - 'a'), now_ns, now_ns + 0.9 * MS);
	for (guint i = 0; i < 4; i++)
		one_gpu_reads(&gpu, i * 20 * MS, 100);
	one_gpu_set_source(&gpu);
	fit.classes = classes_of(&gpu.model, &gpu.source);
	for (guint i = 0; i < fit.classes->list->len; i++) {
		struct kernel_class *class =
			&g_array_index(fit.classes->list, struct kernel_class, i);

		class->program.raked_ns = class->time_ns;
	}
	loop = loop_of(&fit);
	classes_free(fit.classes);
	one_gpu_end(&gpu);
	return loop;
}

static const char *steady(guint number)
{
	(void)number;
	return "abcab";
}

static const char *interrupted(guint number)
{
	return number % 5 == 4 ? "abcabd" : "abcab";
}

/* How often a kernel runs in a row may differ. */
static const char *uneven(guint number)
{
	return number % 2 ? "abbbc" : "aabbc";
}

static void a_loop_has_its_period_and_its_classes(void **state)
{
	struct loop loop = loop_in(steady, ROUNDS);

	(void)state;
	assert_float_equal(loop.period_ns, 5 * MS, 1);
	assert_int_equal(loop.classes, 3);
	loop = loop_in(uneven, ROUNDS);
	assert_float_equal(loop.period_ns, 5 * MS, 0.1 * MS);
	assert_int_equal(loop.classes, 3);
}

static void a_loop_may_be_interrupted(void **state)
{
	const struct loop loop = loop_in(interrupted, ROUNDS);

	(void)state;
	assert_float_equal(loop.period_ns, 5 * MS, 0.1 * MS);
	assert_int_equal(loop.classes, 3);
}

/* The numbers of a linear congruence, whose low bits are left away. */
static const char *random_kernel(guint number)
{
	static const char *const kernels[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	static guint32 seed;

	seed = number ? seed * 1664525 + 1013904223 : 1;
	return kernels[seed >> 29];
}

/* Two programs, one after the other: neither is what all of it does. */
static const char *changing(guint number)
{
	return number < ROUNDS ? "abc" : "def";
}

static const char *single(guint number)
{
	(void)number;
	return "a";
}

static void what_does_not_repeat_is_no_loop(void **state)
{
	(void)state;
	assert_true(isnan(loop_in(random_kernel, 40 * ROUNDS).period_ns));
	assert_true(isnan(loop_in(changing, 2 * ROUNDS).period_ns));
	assert_true(isnan(loop_in(single, ROUNDS).period_ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_has_its_period_and_its_classes),
		cmocka_unit_test(a_loop_may_be_interrupted),
		cmocka_unit_test(what_does_not_repeat_is_no_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
