/* SPDX-License-Identifier: MIT */
/* The clock, told by made-up durations, and what it says of powers. */
#include "analyzer/regress/design/clock_field.h"

#include <math.h>

#include "analyzer/regress/design/influence.h"
#include "tests/unit/analyzer/one_gpu.h"

#define END_NS 4e9
#define WAVE_NS 60e6 /* of the clock */
#define BY 0.1       /* by how much it rises and falls */
#define CLASSES 3
#define POWER_W 200.
#define EXPONENT 2.

/* How closely each class follows the clock. */
static const double follows[CLASSES] = {1, 0.5, 0};

struct bench {
	struct one_gpu gpu;
	struct classes *classes;
	struct clock_field *field;
	GRand *random;
	guint some[CLASSES]; /* an execution of each */
};

static double log_clock(double time_ns)
{
	return BY * sin(2 * G_PI * time_ns / WAVE_NS);
}

/* Classes in turns, of executions of 0.2 to 0.4 ms for so long each; with a clock or, by chance,
 * without one. */
static void set_up(struct bench *bench, double turn_ns, bool clock)
{
	double until_ns = turn_ns;
	guint turn = 0;

	bench->random = g_rand_new_with_seed(1);
	one_gpu_begin(&bench->gpu, 10e6, END_NS, CLASSES);
	for (double now_ns = 0; now_ns < END_NS;) {
		guint class_index = turn % CLASSES;
		double moved = clock ? follows[class_index] * log_clock(now_ns)
				     : g_rand_double_range(bench->random, -BY, BY);
		double length_ns = (0.2e6 + 0.1e6 * class_index) * exp(-moved) *
				   g_rand_double_range(bench->random, 0.99, 1.01);

		one_gpu_runs(&bench->gpu, class_index, now_ns, now_ns + length_ns);
		bench->some[class_index] = bench->gpu.model.executions->len - 1;
		now_ns += length_ns + 1000;
		if (now_ns >= until_ns) {
			turn++;
			until_ns = now_ns + turn_ns;
		}
	}
	one_gpu_set_source(&bench->gpu);
	bench->classes = classes_of(&bench->gpu.model, &bench->gpu.source);
	bench->field = clock_field_of(&bench->gpu.model, bench->classes);
}

static void tear_down(struct bench *bench)
{
	clock_field_free(bench->field);
	classes_free(bench->classes);
	one_gpu_end(&bench->gpu);
	g_rand_free(bench->random);
}

static uint32_t class_of(const struct bench *bench, guint class_index)
{
	return classes_find(
		bench->classes, one_gpu_execution(&bench->gpu, bench->some[class_index]));
}

static void classes_follow(const struct bench *bench)
{
	assert_non_null(bench->field);
	for (guint i = 0; i < CLASSES; i++)
		assert_true(fabs(clock_field_follows(bench->field, class_of(bench, i)) -
				    follows[i]) < 0.05);
}

static void durations_tell_the_clock(void **state)
{
	struct bench bench;
	double squares = 0;

	(void)state;
	set_up(&bench, 0, true);
	classes_follow(&bench);
	for (guint i = 0; i < bench.gpu.model.executions->len; i++) {
		const struct model_execution *execution = one_gpu_execution(&bench.gpu, i);

		squares += pow(clock_field_log(bench.field, execution) -
				       log_clock((double)execution->begin_ns),
			2);
	}
	assert_true(sqrt(squares / bench.gpu.model.executions->len) < 0.2 * BY);
	tear_down(&bench);
}

/* Only where one class follows another do they tell of each other. */
static void classes_that_run_alone_for_long_follow_it(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench, 17e6, true);
	classes_follow(&bench);
	tear_down(&bench);
}

static void durations_that_differ_by_chance_tell_none(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench, 0, false);
	assert_null(bench.field);
	tear_down(&bench);
}

/* Of the class that follows: its power is that at the clocks that it had, and between two of its
 * executions the power differs as the clocks to the exponent. */
static void power_is_the_clock_to_an_exponent(void **state)
{
	struct influence influence = {.parameter = EXPONENT};
	double power_w[CLASSES + 1], sum_j = 0, time_s = 0, first_w = 0, first = 0;
	struct bench bench;

	(void)state;
	set_up(&bench, 0, true);
	for (guint i = 0; i < CLASSES; i++)
		power_w[i] = POWER_W;
	for (influence.kind = influence_kinds; !influence.kind->field;)
		influence.kind++;
	influence.field = bench.field;
	influence.end = bench.gpu.model.executions->len;
	influence_compute(&influence, &bench.gpu.model, bench.classes, power_w);
	for (guint i = 0; i < influence.end; i += CLASSES) {
		const struct model_execution *execution = one_gpu_execution(&bench.gpu, i);
		double seconds = (double)(execution->end_ns - execution->begin_ns) / 1e9;
		double own_w = POWER_W + EXPONENT * influence_w(&influence, i);
		double now = clock_field_log(bench.field, execution);

		if (i == 0) {
			first_w = own_w;
			first = now;
		}
		assert_true(fabs(log(own_w / first_w) -
				    influence_exponent(bench.field, class_of(&bench, 0), EXPONENT) *
					    (now - first)) < 1e-4);
		sum_j += own_w * seconds;
		time_s += seconds;
	}
	assert_true(fabs(sum_j / time_s / POWER_W - 1) < 1e-4);
	influence_clear(&influence);
	tear_down(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_tell_the_clock),
		cmocka_unit_test(classes_that_run_alone_for_long_follow_it),
		cmocka_unit_test(durations_that_differ_by_chance_tell_none),
		cmocka_unit_test(power_is_the_clock_to_an_exponent),
	};

	return cmocka_run_group_tests_name("clock field", tests, NULL, NULL);
}
