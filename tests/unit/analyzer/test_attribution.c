/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/attribution.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define PERIOD_NS 20e6
#define END_NS 20e9
#define KERNELS 3
#define EXECUTIONS 2000

#define STATIC_W 80

static const double power_w[KERNELS] = {100, 250, 400}; /* above the static power */

/* What was drawn until a time, from a period before that, in the mean. */
static double mean_w(const struct one_gpu *gpu, double time_ns)
{
	double sum = 0;

	for (guint i = 0; i < EXECUTIONS; i++) {
		const struct model_execution *execution = one_gpu_execution(gpu, i);
		double begin_ns = MAX((double)execution->begin_ns, time_ns - PERIOD_NS);

		sum += power_w[one_gpu_kernel_of(gpu, execution)] *
		       MAX(MIN((double)execution->end_ns, time_ns) - begin_ns, 0);
	}
	return STATIC_W + sum / PERIOD_NS;
}

/* Executions of changing lengths that overlap now and then, and readings that are off by 1 W. */
static void set_up(struct one_gpu *gpu)
{
	GRand *random = g_rand_new_with_seed(1);
	double now_ns = 100e6;

	one_gpu_begin(gpu, PERIOD_NS, END_NS, KERNELS);
	for (guint i = 0; i < EXECUTIONS; i++) {
		guint kernel = g_rand_int_range(random, 0, KERNELS);
		double length_ns = g_rand_double_range(random, 1e6, 10e6);

		one_gpu_runs(gpu, kernel, now_ns, now_ns + length_ns);
		now_ns += g_rand_double_range(random, 0.9, 1.5) * length_ns;
	}
	for (double time_ns = PERIOD_NS; time_ns <= END_NS; time_ns += PERIOD_NS)
		one_gpu_reads(
			gpu, time_ns, mean_w(gpu, time_ns) + g_rand_double_range(random, -1, 1));
	one_gpu_set_source(gpu);
	g_rand_free(random);
}

/* Sources of its own for each attribution, which takes them over. */
static GArray *sources_of_gpu(const struct one_gpu *gpu)
{
	GArray *sources = g_array_new(FALSE, FALSE, sizeof(struct source));
	struct source source = gpu->source;

	source.covers = g_memdup2(gpu->covers, sizeof(gpu->covers));
	source.curve = g_array_copy(gpu->source.curve);
	source.alike = g_ptr_array_new();
	g_array_append_val(sources, source);
	return sources;
}

/* What a visit sums up. */
struct visit {
	guint executions;
	uint64_t energy_nj, last_begin_ns;
	double squares; /* of energies, to tell one way to divide them from another */
};

static void add(void *data, const struct execution_energy *attributed)
{
	struct visit *visit = data;

	assert_true(attributed->execution->begin_ns >= visit->last_begin_ns);
	visit->last_begin_ns = attributed->execution->begin_ns;
	visit->executions++;
	visit->energy_nj += attributed->energy_nj;
	visit->squares += (double)attributed->energy_nj * (double)attributed->energy_nj;
}

static struct visit visit_all(const struct attribution *attribution)
{
	struct visit visit = {0};

	attribution_visit(attribution, add, &visit);
	return visit;
}

static void assert_closed(const struct attribution *attribution, const struct visit *visit)
{
	const struct balance *balance = &attribution->balances[0];
	uint64_t curve_nj = 0;

	for (guint i = 0; i < g_array_index(attribution->sources, struct source, 0).curve->len; i++)
		curve_nj +=
			g_array_index(g_array_index(attribution->sources, struct source, 0).curve,
				struct curve_interval, i)
				.energy_nj;
	assert_int_equal(balance->measured_nj, curve_nj);
	assert_int_equal(balance->attributed_nj + balance->idle_nj + balance->unattributed_nj,
		balance->measured_nj);
	assert_int_equal(visit->executions, EXECUTIONS);
	assert_int_equal(visit->energy_nj, balance->attributed_nj);
}

static void assert_same(const struct visit *a, const struct visit *b)
{
	assert_int_equal(a->energy_nj, b->energy_nj);
	assert_true(!(a->squares < b->squares) && !(a->squares > b->squares));
}

static void methods_do_not_disturb_each_other(void **state)
{
	struct attribution *attributions[8] = {NULL};
	struct visit visits[8];
	struct one_gpu gpu;
	guint count = 0;

	(void)state;
	set_up(&gpu);
	for (; methods[count]; count++) {
		attributions[count] = attribution_of_sources(&gpu.model,
			&(struct attribution_options){.method = methods[count]},
			sources_of_gpu(&gpu));
		visits[count] = visit_all(attributions[count]);
		assert_closed(attributions[count], &visits[count]);
	}
	assert_int_equal(attributions[0]->fits->len, 1);
	for (guint i = 0; i < count; i++) {
		struct visit again = visit_all(attributions[i]);

		assert_closed(attributions[i], &again);
		assert_same(&visits[i], &again);
		for (guint k = 0; k < i; k++)
			assert_true(fabs(visits[i].squares - visits[k].squares) > 0);
	}
	for (guint i = 0; i < count; i++)
		attribution_free(attributions[i]);
	one_gpu_end(&gpu);
}

static void the_default_is_what_the_readings_allow(void **state)
{
	struct attribution *attribution;
	struct one_gpu gpu;

	(void)state;
	set_up(&gpu);
	attribution = attribution_of_sources(
		&gpu.model, &(struct attribution_options){0}, sources_of_gpu(&gpu));
	assert_ptr_equal(attribution->method, &method_regress);
	attribution_free(attribution);
	g_array_set_size(gpu.sensor.readings, 5);
	attribution = attribution_of_sources(
		&gpu.model, &(struct attribution_options){0}, sources_of_gpu(&gpu));
	assert_ptr_equal(attribution->method, &method_overlap);
	assert_false(attribution->can_fit);
	attribution_free(attribution);
	one_gpu_end(&gpu);
}

/* Twenty seconds are ten blocks of two seconds; what is fitted predicts them best. */
static void blocks_are_predicted_that_were_not_seen(void **state)
{
	struct attribution *attribution;
	const struct heldout *heldout;
	struct one_gpu gpu;

	(void)state;
	set_up(&gpu);
	attribution = attribution_of_sources(
		&gpu.model, &(struct attribution_options){0}, sources_of_gpu(&gpu));
	heldout = attribution_heldout(attribution, g_ptr_array_index(attribution->fits, 0));
	assert_int_equal(heldout->blocks, 10);
	assert_ptr_equal(methods[heldout->own], attribution->method);
	for (guint i = 0; methods[i]; i++) {
		assert_true(heldout->error[i] > 0);
		if (i != heldout->own)
			assert_true(heldout->error[i] >= heldout_best_other(heldout));
	}
	assert_true(heldout->error[heldout->own] < heldout_best_other(heldout));
	assert_true(heldout->error[heldout->own] < 0.01);
	attribution_free(attribution);
	one_gpu_end(&gpu);
}

static void a_domain_within_another_adds_nothing(void **state)
{
	struct attribution *attribution;
	struct one_gpu gpu;
	struct visit visit;

	(void)state;
	set_up(&gpu);
	gpu.source.top_level = false;
	attribution = attribution_of_sources(
		&gpu.model, &(struct attribution_options){0}, sources_of_gpu(&gpu));
	visit = visit_all(attribution);
	assert_int_equal(visit.energy_nj, 0);
	assert_true(attribution->balances[0].attributed_nj > 0);
	assert_false(attribution->measured[0]);
	attribution_free(attribution);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(methods_do_not_disturb_each_other),
		cmocka_unit_test(the_default_is_what_the_readings_allow),
		cmocka_unit_test(blocks_are_predicted_that_were_not_seen),
		cmocka_unit_test(a_domain_within_another_adds_nothing),
	};

	return cmocka_run_group_tests_name("attribution", tests, NULL, NULL);
}
