/* SPDX-License-Identifier: MIT */
/* How a sensor's response is found: what a reading would see by any of them, descents, draws. */
#include "analyzer/response/search.h"

#include "tests/unit/analyzer/varied_work.h"

#define MS 1e6

static const struct response_shape truth = {3 * MS, 14 * MS, 6 * MS};

/* What is tried of a made-up device. */
struct bench {
	struct one_gpu gpu;
	struct classes *classes;
	GArray *readings;
	struct trial trial;
};

static void set_up(struct bench *bench, const struct work_plan *plan)
{
	work_begin(&bench->gpu, plan);
	bench->classes = classes_of(&bench->gpu.model, &bench->gpu.source);
	bench->readings = readings_of(&bench->gpu.source, NULL);
	trial_begin(&bench->trial,
		&(struct find_input){
			&bench->classes->columns, &bench->gpu.sensor, bench->readings, NULL},
		false, NULL);
}

static void tear_down(struct bench *bench)
{
	trial_end(&bench->trial);
	g_array_free(bench->readings, TRUE);
	classes_free(bench->classes);
	one_gpu_end(&bench->gpu);
}

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%g is not %g within %g", value, expected, tolerance);
}

/* ---- what a reading sees ---- */

/* Of edges that lie within bins. */
static const struct response_shape shapes[] = {
	{3.03 * MS, 14.14 * MS, 0},
	{3.03 * MS, 0.27 * MS, 12 * MS},
	{3.03 * MS, 14.14 * MS, 6 * MS},
	{-2.06 * MS, 25.21 * MS, 1 * MS},
	{5.05 * MS, 5.11 * MS, 20 * MS},
};

/* By slot, that is by column. */
static void exact_parts(const struct bench *bench, const struct response_shape *shape,
	const struct power_reading *reading, double *parts)
{
	struct response response;

	response_of_shape(&response, shape);
	memset(parts, 0, WORK_KERNELS * sizeof(*parts));
	for (guint i = 0; i < bench->gpu.model.executions->len; i++) {
		const struct model_execution *execution = one_gpu_execution(&bench->gpu, i);
		guint class_index = classes_find(bench->classes, execution);

		parts[g_array_index(bench->classes->list, struct kernel_class, class_index)
				.column] += design_part(&response, reading,
			(double)execution->begin_ns, (double)execution->end_ns);
	}
}

static struct activity *activity_of(const struct bench *bench)
{
	static const uint32_t slot_of[WORK_KERNELS] = {0, 1, 2, 3};
	const struct activity_plan plan = {.slots = WORK_KERNELS, .slot_of = slot_of};

	return activity_make(&bench->classes->columns, (const void *)bench->readings->data,
		bench->readings->len, 10 * WORK_PERIOD_NS, WORK_PERIOD_NS / 200, &plan);
}

/* On bins of 0.1 ms, by a gauge and by a counter, whose rate is looked at eight times. */
static void what_readings_see_is_that_of_the_design(void **state)
{
	(void)state;
	for (int counter = 0; counter < 2; counter++) {
		const struct work_plan plan = {
			.seed = 1, .seconds = 3, .shape = truth, .counter = counter};
		const double tolerance = counter ? 0.005 : 0.0005;
		struct activity *activity;
		struct activity_view view;
		struct bench bench;
		double *seen;

		set_up(&bench, &plan);
		activity = activity_of(&bench);
		seen = g_new(double, bench.readings->len *WORK_KERNELS);
		activity_view_begin(&view, activity);
		for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
			activity_view_parts(&view, &shapes[i], (const void *)bench.readings->data,
				bench.readings->len, WORK_KERNELS, seen);
			for (guint row = 0; row < bench.readings->len; row++) {
				double parts[WORK_KERNELS];

				exact_parts(&bench, &shapes[i],
					&g_array_index(bench.readings, struct power_reading, row),
					parts);
				for (int k = 0; k < WORK_KERNELS; k++)
					assert_near(
						seen[row * WORK_KERNELS + k], parts[k], tolerance);
			}
		}
		activity_view_end(&view);
		activity_free(activity);
		g_free(seen);
		tear_down(&bench);
	}
}

/* To single precision, in which a view keeps what the filter holds. */
static void one_slot_can_be_the_weighted_sum_of_all(void **state)
{
	const struct work_plan plan = {.seed = 1, .seconds = 3, .shape = truth};
	const double weight[WORK_KERNELS] = {100, 0, -20, 3};
	struct activity *activity, *sum;
	struct activity_view views[2];
	struct bench bench;
	double *seen, *seen_sum;
	guint rows;

	(void)state;
	set_up(&bench, &plan);
	rows = bench.readings->len;
	activity = activity_of(&bench);
	sum = activity_weighted(activity, weight);
	assert_int_equal(sum->slots, 1);
	seen = g_new(double, rows *WORK_KERNELS);
	seen_sum = g_new(double, rows);
	activity_view_begin(&views[0], activity);
	activity_view_begin(&views[1], sum);
	activity_view_parts(
		&views[0], &truth, (const void *)bench.readings->data, rows, WORK_KERNELS, seen);
	activity_view_parts(
		&views[1], &truth, (const void *)bench.readings->data, rows, 1, seen_sum);
	for (guint row = 0; row < rows; row++) {
		double expected = 0;

		for (int k = 0; k < WORK_KERNELS; k++)
			expected += weight[k] * seen[row * WORK_KERNELS + k];
		assert_near(seen_sum[row], expected, 1e-3);
	}
	activity_view_end(&views[0]);
	activity_view_end(&views[1]);
	activity_free(sum);
	activity_free(activity);
	g_free(seen);
	g_free(seen_sum);
	tear_down(&bench);
}

/* ---- descents ---- */

static const bool all_free[SHAPE_PARAMETERS] = {true, true, true};

static void a_descent_ends_at_the_shape(void **state)
{
	static const double off[][SHAPE_PARAMETERS] = {
		{0.7, 0.7, 0.7}, {1.3, 1.3, 1.3}, {1.3, 0.7, 1.3}, {0.7, 1.3, 0.7}};
	const struct work_plan plan = {.seed = 1, .seconds = 20, .noise_w = 0.02, .shape = truth};
	struct bench bench;

	(void)state;
	set_up(&bench, &plan);
	for (size_t i = 0; i < G_N_ELEMENTS(off); i++) {
		struct response_shape shape = {off[i][0] * truth.lag_ns,
			off[i][1] * truth.window_ns, off[i][2] * truth.tail_ns};
		double before = trial_misfit(&bench.trial, &shape);
		double after = trials_descend(&bench.trial, 1, all_free, 30, &shape);

		assert_true(after < before / 10);
		assert_near(after, trial_misfit(&bench.trial, &shape), 1e-6 * after);
		assert_near(shape.lag_ns, truth.lag_ns, 0.01 * WORK_PERIOD_NS);
		assert_near(shape.window_ns, truth.window_ns, 0.01 * WORK_PERIOD_NS);
		assert_near(shape.tail_ns, truth.tail_ns, 0.01 * WORK_PERIOD_NS);
	}
	tear_down(&bench);
}

static void what_is_not_free_stays(void **state)
{
	const bool lag_free[SHAPE_PARAMETERS] = {[SHAPE_LAG] = true};
	const struct work_plan plan = {.seed = 1, .seconds = 20, .noise_w = 0.02, .shape = truth};
	struct response_shape shape = {0.7 * truth.lag_ns, truth.window_ns, truth.tail_ns};
	struct bench bench;

	(void)state;
	set_up(&bench, &plan);
	trials_descend(&bench.trial, 1, lag_free, 30, &shape);
	assert_near(shape.lag_ns, truth.lag_ns, 0.01 * WORK_PERIOD_NS);
	assert_near(shape.window_ns, truth.window_ns, 1);
	assert_near(shape.tail_ns, truth.tail_ns, 1);
	tear_down(&bench);
}

/* Of the same work, seen by two sensors that differ in their lags: what both together say lies in
 * the middle. */
static void trials_count_together(void **state)
{
	struct response_shape between = truth, shape = truth;
	struct work_plan plan = {.seed = 1, .seconds = 10, .noise_w = 0.02, .shape = truth};
	struct bench benches[2];
	struct trial trials[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		plan.shape.lag_ns = truth.lag_ns + i * 2 * MS;
		set_up(&benches[i], &plan);
		trials[i] = benches[i].trial;
	}
	between.lag_ns += 1 * MS;
	shape.lag_ns *= 0.7;
	assert_near(trials_misfit(trials, 2, &between),
		trial_misfit(&trials[0], &between) + trial_misfit(&trials[1], &between), 1e-9);
	trials_descend(trials, 2, all_free, 30, &shape);
	assert_near(shape.lag_ns + shape.window_ns / 2 + shape.tail_ns,
		between.lag_ns + between.window_ns / 2 + between.tail_ns, 0.1 * MS);
	for (int i = 0; i < 2; i++)
		tear_down(&benches[i]);
}

/* ---- draws ---- */

/* What is drawn where the search has gone through all; the best shape goes into found. */
static guint draws_of(const struct work_plan *plan, struct response_shape *draws, guint count,
	struct response_shape *found)
{
	struct search search;
	struct bench bench;
	guint drawn;

	set_up(&bench, plan);
	search_begin(&search, &bench.trial, 1);
	search_all(&search, &bench.trial);
	drawn = search_draw(&search, draws, count);
	*found = search.best[SEARCH_BOTH].shape;
	for (guint i = 0; i < drawn; i++)
		assert_true(trial_allows(&bench.trial, &draws[i]));
	search_end(&search);
	tear_down(&bench);
	return drawn;
}

static void where_readings_tell_there_is_one_shape(void **state)
{
	const struct work_plan plan = {.seed = 1, .seconds = 20, .noise_w = 0.1, .shape = truth};
	struct response_shape draws[16], found;

	(void)state;
	assert_int_equal(draws_of(&plan, draws, G_N_ELEMENTS(draws), &found), 0);
	assert_near(found.lag_ns, truth.lag_ns, 0.02 * WORK_PERIOD_NS);
	assert_near(found.window_ns, truth.window_ns, 0.02 * WORK_PERIOD_NS);
	assert_near(found.tail_ns, truth.tail_ns, 0.02 * WORK_PERIOD_NS);
}

/* In a steady loop that is shorter than the response, several are as likely, the true one among
 * them. */
static void where_readings_do_not_tell_shapes_are_drawn(void **state)
{
	const struct work_plan plan = {
		.seed = 1, .seconds = 10, .noise_w = 10, .loop_ns = 14e6, .shape = truth};
	struct response_shape draws[16], found;
	double least_ns = INFINITY, most_ns = 0;

	(void)state;
	assert_int_equal(draws_of(&plan, draws, G_N_ELEMENTS(draws), &found), 16);
	for (size_t i = 0; i < G_N_ELEMENTS(draws); i++) {
		least_ns = MIN(least_ns, draws[i].window_ns);
		most_ns = MAX(most_ns, draws[i].window_ns);
	}
	assert_true(most_ns - least_ns > 0.1 * WORK_PERIOD_NS);
	assert_true(least_ns < truth.window_ns && truth.window_ns < most_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_readings_see_is_that_of_the_design),
		cmocka_unit_test(one_slot_can_be_the_weighted_sum_of_all),
		cmocka_unit_test(a_descent_ends_at_the_shape),
		cmocka_unit_test(what_is_not_free_stays),
		cmocka_unit_test(trials_count_together),
		cmocka_unit_test(where_readings_tell_there_is_one_shape),
		cmocka_unit_test(where_readings_do_not_tell_shapes_are_drawn),
	};

	return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
