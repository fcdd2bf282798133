/* SPDX-License-Identifier: MIT */
#include "analyzer/power/sweep.h"

#include <math.h>

#include "analyzer/power/extremes.h"
#include "tests/unit/unit.h"

#define W INT64_C(1000000) /* in uW */

/* Two devices, each measured by itself: 100 W all the time, but of the second one nothing is known
 * from 60 to 70 ns.  While they run nothing they draw 10 and 20 W. */
struct bench {
	struct model *model;
	struct attribution attribution;
	struct power_units units;
	guint of_gpu[2];
	GArray *seen; /* struct seen */
};

struct seen {
	guint unit;
	struct power_stretch stretch;
};

static const int64_t idle_uw[] = {10 * W, 20 * W};

static void add_step(struct bench *bench, uint64_t time_ns, guint unit, int known, int64_t power_uw)
{
	const struct power_step step = {time_ns, unit, known, power_uw, NULL};

	g_array_append_val(bench->units.steps, step);
}

static void begin(struct bench *bench)
{
	const struct power_unit unit = {.needs = 1};

	*bench = (struct bench){.model = model_new(false), .of_gpu = {0, 1}};
	bench->attribution.model = bench->model;
	bench->units.attribution = &bench->attribution;
	bench->units.of_gpu = bench->of_gpu;
	bench->units.list = g_array_new(FALSE, TRUE, sizeof(struct power_unit));
	bench->units.steps = g_array_new(FALSE, FALSE, sizeof(struct power_step));
	bench->seen = g_array_new(FALSE, FALSE, sizeof(struct seen));
	g_array_append_val(bench->units.list, unit);
	g_array_append_val(bench->units.list, unit);
	add_step(bench, 0, 0, 1, 100 * W);
	add_step(bench, 0, 1, 1, 100 * W);
	add_step(bench, 60, 1, -1, -100 * W);
	add_step(bench, 70, 1, 1, 100 * W);
	add_step(bench, 100, 0, -1, -100 * W);
	add_step(bench, 100, 1, -1, -100 * W);
}

static void end(struct bench *bench)
{
	g_array_free(bench->units.list, TRUE);
	g_array_free(bench->units.steps, TRUE);
	g_array_free(bench->seen, TRUE);
	model_free(bench->model);
}

static struct model_execution execution_on(
	struct bench *bench, guint gpu, uint64_t begin_ns, uint64_t end_ns)
{
	struct model_origin origin = {.stream = gpu + 1};
	struct model_execution execution = {.begin_ns = begin_ns, .end_ns = end_ns};

	execution.origin = origins_number(bench->model->origins, &origin);
	g_array_index(bench->model->origins->list, struct model_origin, execution.origin).gpu = gpu;
	return execution;
}

static void see(void *data, guint unit, const struct power_stretch *stretch)
{
	const struct seen seen = {unit, *stretch};

	g_array_append_val(((struct bench *)data)->seen, seen);
}

/* The stretches of a unit, each as {begin, end, modelled W}. */
#define SAW(bench, wanted, ...)                                                                    \
	do {                                                                                       \
		const int64_t expected[][3] = {__VA_ARGS__};                                       \
		guint found = 0;                                                                   \
                                                                                                   \
		for (guint i = 0; i < (bench)->seen->len; i++) {                                   \
			const struct seen *seen = &g_array_index((bench)->seen, struct seen, i);   \
                                                                                                   \
			if (seen->unit != (wanted))                                                \
				continue;                                                          \
			assert_true(found < G_N_ELEMENTS(expected));                               \
			assert_int_equal(seen->stretch.begin_ns, expected[found][0]);              \
			assert_int_equal(seen->stretch.end_ns, expected[found][1]);                \
			assert_int_equal(seen->stretch.modelled_uw, expected[found][2] * W);       \
			found++;                                                                   \
		}                                                                                  \
		assert_int_equal(found, G_N_ELEMENTS(expected));                                   \
	} while (0)

/* On the first device two executions overlap; on the second one runs across what is not known. */
static void sums_what_runs(void **state)
{
	struct bench bench;
	struct power_sweep *sweep;
	struct model_execution executions[3];
	const uint64_t energies_nj[] = {200 * 20, 300 * 30, 50 * 40};

	(void)state;
	begin(&bench);
	executions[0] = execution_on(&bench, 0, 10, 30);
	executions[1] = execution_on(&bench, 0, 20, 50);
	executions[2] = execution_on(&bench, 1, 40, 80);
	sweep = power_sweep_new(&bench.units, idle_uw, see, &bench);
	for (guint i = 0; i < 3; i++)
		power_sweep_add(
			sweep, &(struct execution_energy){&executions[i], energies_nj[i], NAN});
	power_sweep_end(sweep);
	SAW(&bench, 0, {0, 10, 10}, {10, 20, 200}, {20, 30, 500}, {30, 50, 300}, {50, 100, 10});
	SAW(&bench, 1, {0, 40, 20}, {40, 60, 50}, {70, 80, 50}, {80, 100, 20});
	SAW(&bench, 2, {0, 10, 30}, {10, 20, 220}, {20, 30, 520}, {30, 40, 320}, {40, 50, 350},
		{50, 60, 60}, {70, 80, 60}, {80, 100, 30});
	assert_int_equal(g_array_index(bench.seen, struct seen, 0).stretch.measured_uw, 100 * W);
	end(&bench);
}

/* A window gets the parts of executions and of stretches that lie in it, also of a device that
 * changes seldom beside one that changes often. */
static void divides_windows(void **state)
{
	struct bench bench;
	struct extremes *extremes = extremes_new(2);
	struct model_execution often, seldom;
	const struct extreme *extreme;

	(void)state;
	begin(&bench);
	extremes_add(extremes, &(struct extreme){.unit = 1, .span = {10, 20}});
	extremes_add(extremes, &(struct extreme){.unit = 2, .span = {10, 20}});
	seldom = execution_on(&bench, 1, 5, 90);
	often = execution_on(&bench, 0, 15, 25);
	extremes_add_execution(extremes, 1, &(struct execution_energy){&seldom, 850, NAN});
	extremes_add_execution(extremes, 0, &(struct execution_energy){&often, 1000, NAN});
	extremes_add_stretch(
		extremes, 0, &(struct power_stretch){15, 25, 100 * W, 0, 0, true, NULL});
	extremes_add_stretch(
		extremes, 0, &(struct power_stretch){25, 90, 10 * W, 0, 0, false, NULL});
	extremes_add_stretch(extremes, 1, &(struct power_stretch){5, 90, 10 * W, 0, 0, true, NULL});
	extreme = extremes_find(extremes, 1, 0);
	assert_true(extreme->energy_fj == 10 * 10 * W);
	assert_int_equal(*(uint64_t *)g_hash_table_lookup(
				 extreme->parts, GUINT_TO_POINTER(seldom.origin + 1)),
		100);
	assert_int_equal(g_hash_table_size(extreme->parts), 1);
	extreme = extremes_find(extremes, 2, 0);
	assert_int_equal(*(uint64_t *)g_hash_table_lookup(
				 extreme->parts, GUINT_TO_POINTER(often.origin + 1)),
		500);
	assert_int_equal(g_hash_table_size(extreme->parts), 2);
	assert_null(extremes_find(extremes, 0, 0));
	extremes_free(extremes);
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_what_runs),
		cmocka_unit_test(divides_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
