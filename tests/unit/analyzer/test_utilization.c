/* SPDX-License-Identifier: MIT */
/* How busy kernels keep parts of a device, from counters beside them. */
#include "analyzer/regress/utilization/utilization.h"

#include <string.h>

#include "analyzer/regress/utilization/utilization_power.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define SECONDS 8
#define STEP_NS 1e3 /* in which truth is known */

static const char *const domains[] = {
#define PART(word, domain, ...) [PWRTRACE_PART_##word] = domain,
#include "pwrtrace/parts.def"
#undef PART
};

/* Of each kernel: its length, and how busy it keeps the first and the third part; others are idle.
 */
static const struct {
	double length_ns, compute, tensor;
} kernels[] = {{37e3, 0.9, 0.7}, {61e3, 0.4, 0}, {112e3, 0.6, 0.1}};

/* The loop of a program: kernels in one order, with a pause after each turn. */
struct bench {
	struct one_gpu gpu;
	struct classes *classes;
	float *busy[PWRTRACE_PARTS]; /* by step: the share, NULL: idle */
	guint steps;
};

static double share_of(guint kernel, int part)
{
	return part == PWRTRACE_PART_compute  ? kernels[kernel].compute
	       : part == PWRTRACE_PART_tensor ? kernels[kernel].tensor
					      : 0;
}

/* Each turn takes as long as an interval, or some time that changes. */
enum turns { TURNS_CHANGE, TURNS_ARE_INTERVALS };

static void begin_with(struct bench *bench, enum turns turns)
{
	double now_ns = 10 * MS, end_ns = SECONDS * 1e9;

	one_gpu_begin(&bench->gpu, 20 * MS, end_ns, G_N_ELEMENTS(kernels));
	g_array_index(bench->gpu.model.gpus, struct model_gpu, 0).name = "NVIDIA H100 80GB HBM3";
	bench->steps = (guint)(end_ns / STEP_NS);
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		bench->busy[part] = g_new0(float, bench->steps);
	for (guint turn = 0; now_ns < end_ns - 10 * MS; turn++) {
		for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
			double until_ns = now_ns + kernels[k].length_ns;

			one_gpu_runs(&bench->gpu, k, now_ns, until_ns);
			for (int part = 0; part < PWRTRACE_PARTS; part++)
				for (guint i = (guint)(now_ns / STEP_NS); i < until_ns / STEP_NS;
					i++)
					bench->busy[part][i] = (float)share_of(k, part);
			now_ns = until_ns;
		}
		if (turns == TURNS_CHANGE)
			now_ns += 40e3 + turn % 7 * 1e3;
		else
			now_ns = 10 * MS + (turn + 1) * MS;
	}
	one_gpu_set_source(&bench->gpu);
	bench->classes = classes_of(&bench->gpu.model, &bench->gpu.source);
}

static void begin(struct bench *bench)
{
	begin_with(bench, TURNS_CHANGE);
}

static void end(struct bench *bench)
{
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		g_free(bench->busy[part]);
	for (guint i = 0; i < bench->gpu.model.sensors->len; i++)
		g_array_free(
			g_array_index(bench->gpu.model.sensors, struct model_sensor, i).readings,
			TRUE);
	classes_free(bench->classes);
	one_gpu_end(&bench->gpu);
}

/* Counts all parts, with times that are late by what late_ns says at each time; at lost_ms (0:
 * never) counting begins anew. */
static void count(struct bench *bench, double (*late_ns)(double now_ns), guint lost_ms)
{
	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		struct model_sensor sensor = bench->gpu.sensor;
		double busy_ns = 1;

		sensor.quantity = "busy";
		sensor.domain = domains[part];
		sensor.period_ns = 1000000;
		sensor.readings = g_array_new(FALSE, FALSE, sizeof(struct model_reading));
		for (guint i = 0; i < bench->steps; i++) {
			busy_ns += STEP_NS * (double)bench->busy[part][i];
			if (i % 1000 == 999) {
				double now_ns = (i + 1) * STEP_NS;
				bool lost = lost_ms && i / 1000 == lost_ms;
				const struct model_reading reading = {
					(uint64_t)(now_ns + late_ns(now_ns)),
					lost ? 0 : (uint64_t)busy_ns};

				busy_ns = lost ? 1 : busy_ns;
				g_array_append_val(sensor.readings, reading);
			}
		}
		g_array_append_val(bench->gpu.model.sensors, sensor);
	}
}

static struct utilization_share share_found(
	const struct bench *bench, const struct utilization *utilization, guint kernel, int part)
{
	struct utilization_sum sum = {.time_ns = {0}};
	double time_ns = 1;

	for (guint i = 0; i < bench->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(bench->classes->list, struct kernel_class, i);

		if (class->origin->kernel != kernel + 1)
			continue;
		utilization_add(utilization, &class->column, &time_ns, 1, &sum);
		return utilization_share_of(&sum, (enum pwrtrace_part)part);
	}
	fail();
	return (struct utilization_share){0, 0};
}

static void assert_true_shares(const struct bench *bench, double within)
{
	struct utilization *utilization =
		utilization_of(&bench->gpu.model, &bench->gpu.source, bench->classes);

	assert_non_null(utilization);
	for (guint k = 0; k < G_N_ELEMENTS(kernels); k++)
		for (int part = 0; part < PWRTRACE_PARTS; part++) {
			struct utilization_share found = share_found(bench, utilization, k, part);

			assert_true(fabs(found.mean - share_of(k, part)) < within);
			assert_true(found.deviation < 0.15);
		}
	utilization_free(utilization);
}

static double constant(double now_ns)
{
	(void)now_ns;
	return -70e3;
}

static double drifting(double now_ns)
{
	return now_ns < SECONDS * 1e9 / 2 ? -70e3 : -95e3 + now_ns * 1e-6;
}

static void kernels_of_a_loop_are_told_apart(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	count(&bench, constant, 0);
	assert_true_shares(&bench, 0.01);
	end(&bench);
}

static void the_counters_clock_is_followed(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	count(&bench, drifting, 0);
	assert_true_shares(&bench, 0.03);
	end(&bench);
}

/* Where all intervals have the same of each kernel, and another part is known less well still. */
static void what_is_not_told_has_a_wide_interval(void **state)
{
	struct utilization *utilization;
	struct bench bench;

	(void)state;
	begin_with(&bench, TURNS_ARE_INTERVALS);
	for (guint i = 0; i < bench.steps; i++)
		bench.busy[PWRTRACE_PART_write][i] = i / 1000 % 2 ? 0.6F : 0;
	count(&bench, constant, 0);
	utilization = utilization_of(&bench.gpu.model, &bench.gpu.source, bench.classes);
	assert_non_null(utilization);
	for (guint k = 0; k < G_N_ELEMENTS(kernels); k++)
		assert_true(share_found(&bench, utilization, k, PWRTRACE_PART_compute).deviation >
			    0.25);
	utilization_free(utilization);
	end(&bench);
}

/* Else an interval in which nothing was counted would seem idle. */
static void intervals_that_are_missing_tell_nothing(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	count(&bench, constant, 4321);
	for (guint i = 0; i < bench.gpu.model.sensors->len; i++) {
		GArray *readings =
			g_array_index(bench.gpu.model.sensors, struct model_sensor, i).readings;
		/* And none at all for some time, and two readings at almost the same one. */
		struct model_reading again = g_array_index(readings, struct model_reading, 999);

		g_array_remove_range(readings, 3000, 100);
		again.time_ns += 200;
		g_array_insert_val(readings, 1000, again);
	}
	assert_true_shares(&bench, 0.01);
	end(&bench);
}

static void without_counters_there_is_none(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	assert_null(utilization_of(&bench.gpu.model, &bench.gpu.source, bench.classes));
	assert_null(utilization_powers_of(&bench.gpu.model, bench.classes, NULL));
	end(&bench);
}

/* By the coefficients of an H100, of which only the ratios count: the mean over the busy time is 1.
 */
static void power_follows_from_what_the_parts_do(void **state)
{
	struct utilization *utilization;
	struct expectation *expected;
	double power[3] = {0}, mean = 0, all_ns = 0;
	struct bench bench;

	(void)state;
	begin(&bench);
	count(&bench, constant, 0);
	utilization = utilization_of(&bench.gpu.model, &bench.gpu.source, bench.classes);
	expected = utilization_powers_of(&bench.gpu.model, bench.classes, utilization);
	assert_non_null(expected);
	for (guint i = 0; i < bench.classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(bench.classes->list, struct kernel_class, i);

		power[class->origin->kernel - 1] = expected[class->column].mean;
		assert_true(
			expected[class->column].deviation > 0.14 * expected[class->column].mean);
		mean += expected[class->column].mean * class->time_ns;
		all_ns += class->time_ns;
	}
	assert_true(fabs(mean / all_ns - 1) < 1e-9);
	assert_true(fabs(power[0] / power[1] - (124 * 0.9 + 732 * 0.7) / (124 * 0.4)) < 0.3);
	g_array_index(bench.gpu.model.gpus, struct model_gpu, 0).name = "another";
	assert_null(utilization_powers_of(&bench.gpu.model, bench.classes, utilization));
	g_free(expected);
	utilization_free(utilization);
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_of_a_loop_are_told_apart),
		cmocka_unit_test(the_counters_clock_is_followed),
		cmocka_unit_test(what_is_not_told_has_a_wide_interval),
		cmocka_unit_test(intervals_that_are_missing_tell_nothing),
		cmocka_unit_test(without_counters_there_is_none),
		cmocka_unit_test(power_follows_from_what_the_parts_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
