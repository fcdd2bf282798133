/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/runs.h"

#include <math.h>

#include "analyzer/profile/before.h"
#include "analyzer/profile/points.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define US 1e3

/* Three runs of kernel a, from 10, 20 and 30 ms on, of 3 executions of 400 us; in the second, b
 * runs between them; a run of b alone comes last. */
static void begin(struct one_gpu *one)
{
	double now_ns;

	one_gpu_begin(one, MS, 60 * MS, 2);
	for (int run = 0; run < 3; run++) {
		now_ns = (10 + 10 * run) * MS;
		for (int i = 0; i < 3; i++) {
			one_gpu_runs(one, 0, now_ns, now_ns + (400 + 10 * i) * US);
			now_ns += 500 * US;
			if (run != 1)
				continue;
			one_gpu_runs(one, 1, now_ns, now_ns + 900 * US);
			now_ns += 1000 * US;
		}
	}
	one_gpu_runs(one, 1, 50 * MS, 52 * MS);
}

static struct runs *find(const struct one_gpu *one, double gap_ns, guint fewest)
{
	static const bool origins[] = {true, false};

	return runs_find(&one->model,
		&(struct runs_wanted){
			.origins = origins, .gap_ns = (uint64_t)gap_ns, .fewest = fewest});
}

static void end(struct one_gpu *one, struct runs *runs)
{
	runs_free(runs);
	one_gpu_set_source(one);
	one_gpu_end(one);
}

static void runs_begin_after_idle(void **state)
{
	struct one_gpu one;
	struct runs *runs;
	double *times_s;

	(void)state;
	begin(&one);
	runs = find(&one, MS, 1);
	assert_int_equal(runs->list->len, 3);
	assert_int_equal(runs->longest, 3);
	for (guint i = 0; i < 3; i++)
		assert_int_equal(runs_at(runs, i)->count, 3);
	assert_int_equal(runs_execution(runs, 4)->run, 1);
	assert_int_equal(runs_execution(runs, 4)->number, 2);
	assert_true(runs_execution(runs, 4)->begin_ns == 20 * MS + 1500 * US);
	times_s = runs_times_s(runs, NULL);
	assert_true(fabs(times_s[0] - 400e-6) < 1e-12 && fabs(times_s[2] - 420e-6) < 1e-12);
	g_free(times_s);
	end(&one, runs);
}

static void a_longer_gap_makes_longer_runs(void **state)
{
	struct one_gpu one;
	struct runs *runs;

	(void)state;
	begin(&one);
	runs = find(&one, 20 * MS, 1);
	assert_int_equal(runs->list->len, 1);
	assert_int_equal(runs->longest, 9);
	end(&one, runs);
}

/* A run of one, before the others, is left out. */
static void short_runs_are_left_out(void **state)
{
	struct one_gpu one;
	struct runs *runs;

	(void)state;
	one_gpu_begin(&one, MS, 60 * MS, 1);
	one_gpu_runs(&one, 0, MS, 2 * MS);
	one_gpu_runs(&one, 0, 10 * MS, 11 * MS);
	one_gpu_runs(&one, 0, 11 * MS, 12 * MS);
	runs = find(&one, MS, 2);
	assert_int_equal(runs->list->len, 1);
	assert_int_equal(runs->executions->len, 2);
	assert_int_equal(runs_execution(runs, 0)->run, 0);
	assert_true(runs_execution(runs, 0)->begin_ns == 10 * MS);
	end(&one, runs);
}

/* A reading that sees 100 us counts where all of it lies in an execution of a chosen run. */
static void readings_within_executions_are_points(void **state)
{
	static const struct point_window window = {100 * US, 50 * US};
	static const bool chosen[] = {true, false, true};
	GArray *points = g_array_new(FALSE, FALSE, sizeof(struct point));
	const struct point *point;
	struct one_gpu one;
	struct runs *runs;

	(void)state;
	begin(&one);
	one_gpu_reads(&one, 9 * MS, 100);
	one_gpu_reads(&one, 10 * MS + 100 * US, 200);  /* begins before the execution */
	one_gpu_reads(&one, 10 * MS + 350 * US, 300);  /* from 200 to 300 us */
	one_gpu_reads(&one, 20 * MS + 350 * US, 400);  /* in a run that is not chosen */
	one_gpu_reads(&one, 30 * MS + 1200 * US, 500); /* from 1050 to 1150 us */
	one_gpu_reads(&one, 30 * MS + 1600 * US, 600); /* ends after the execution */
	one_gpu_set_source(&one);
	runs = find(&one, MS, 1);
	points_add(points, runs, chosen, &one.source, &window);
	assert_int_equal(points->len, 2);
	point = &g_array_index(points, struct point, 0);
	assert_true(fabs(point->toi_s - 250e-6) < 1e-12 && fabs(point->run_s - 250e-6) < 1e-12);
	assert_true(point->power_w == 300 && point->whole && point->execution == 0);
	point = &g_array_index(points, struct point, 1);
	assert_true(fabs(point->toi_s - 100e-6) < 1e-12 && fabs(point->run_s - 1100e-6) < 1e-12);
	assert_int_equal(runs_execution(runs, point->execution)->number, 3);
	g_array_free(points, TRUE);
	runs_free(runs);
	one_gpu_end(&one);
}

/* Before a's first execution of a run there was nothing, before the later ones b or nothing. */
static void what_ran_before_is_named(void **state)
{
	static const char *const labels[] = {"a", "b"};
	struct befores befores;
	struct one_gpu one;
	struct runs *runs;

	(void)state;
	begin(&one);
	runs = find(&one, MS, 1);
	befores = befores_find(&one.model, runs, labels);
	assert_string_equal(g_ptr_array_index(befores.names, befores.part_of[0] - 1), "idle");
	assert_string_equal(g_ptr_array_index(befores.names, befores.part_of[5] - 1), "idle");
	runs_free(runs);
	befores_clear(&befores);
	one_gpu_set_source(&one);
	one_gpu_end(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_begin_after_idle),
		cmocka_unit_test(a_longer_gap_makes_longer_runs),
		cmocka_unit_test(short_runs_are_left_out),
		cmocka_unit_test(readings_within_executions_are_points),
		cmocka_unit_test(what_ran_before_is_named),
	};

	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
