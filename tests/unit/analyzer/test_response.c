/* SPDX-License-Identifier: MIT */
#include "analyzer/response/response.h"
#include "tests/unit/unit.h"

#include <math.h>

#define MS 1e6

static void assert_near(double value, double expected, double tolerance)
{
	assert_true(fabs(value - expected) <= tolerance);
}

static void a_box_is_a_mean_over_its_window(void **state)
{
	const struct response_shape shape = {2 * MS, 20 * MS, 0};
	struct response response;

	(void)state;
	response_of_shape(&response, &shape);
	assert_near(response_below(&response, 2 * MS), 0, 0);
	assert_near(response_below(&response, 12 * MS), 0.5, 1e-12);
	assert_near(response_below(&response, 22 * MS), 1, 1e-12);
	assert_near(response_mean_ns(&response), 12 * MS, 1);
	assert_near(response_deviation_ns(&response), 20 * MS / sqrt(12), 1);
	assert_near(response_end_ns(&response), 22 * MS, 1);
}

/* A window smeared by an exponential, integrated step by step. */
static double smeared_below(const struct response_shape *shape, double t_ns)
{
	double sum = 0, steps = 2000;

	for (int i = 0; i < steps; i++) {
		double since_ns = t_ns - shape->lag_ns - shape->window_ns * (i + 0.5) / steps;

		sum += since_ns > 0 ? -expm1(-since_ns / shape->tail_ns) / steps : 0;
	}
	return sum;
}

static void a_tail_smears_it(void **state)
{
	const struct response_shape shape = {2 * MS, 20 * MS, 5 * MS};
	struct response response;

	(void)state;
	response_of_shape(&response, &shape);
	for (double t_ns = 0; t_ns < 60 * MS; t_ns += MS)
		assert_near(response_below(&response, t_ns), smeared_below(&shape, t_ns), 0.01);
	assert_near(response_mean_ns(&response), 17 * MS, 0.2 * MS);
	assert_near(response_deviation_ns(&response), hypot(20 / sqrt(12), 5) * MS, 0.1 * MS);
}

static void a_response_is_like_a_box(void **state)
{
	const struct response_shape box = {2 * MS, 20 * MS, 0}, filter = {2 * MS, 0, 10 * MS};
	struct response response;

	(void)state;
	response_of_shape(&response, &box);
	assert_near(response_window_ns(&response), 20 * MS, 1);
	assert_near(response_lag_ns(&response), 2 * MS, 1);
	/* twice its time constant, but for what its cut leaves out */
	response_of_shape(&response, &filter);
	assert_near(response_window_ns(&response), 20 * MS, MS);
	assert_near(response_lag_ns(&response), 2 * MS, MS);
}

/* Of a window w and a tail as long, h is (1 - e^-x)/w up to x = 1, in units of w, and after that
 * (e - 1) e^-x / w.  The integral of its square is [(1 - 2(1 - 1/e) + (1 - 1/e²)/2) + (1 - 1/e)²/2]
 * / w = 1/(e w), so that the box like it is e w long, around the mean delay of 1.5 w. */
static void a_window_and_a_tail_are_like_a_box(void **state)
{
	const struct response_shape both = {2 * MS, 10 * MS, 10 * MS};
	struct response response;

	(void)state;
	response_of_shape(&response, &both);
	assert_near(response_mean_ns(&response), 17 * MS, 0.05 * MS);
	assert_near(response_window_ns(&response), M_E * 10 * MS, 0.1 * MS);
	assert_near(response_lag_ns(&response), (17 - M_E * 10 / 2) * MS, 0.1 * MS);
	/* and without a cut, exactly */
	assert_near(response_shape_mean_ns(&both), 17 * MS, 1);
	assert_near(response_shape_equivalent_window_ns(&both), M_E * 10 * MS, 1);
	assert_near(response_shape_equivalent_lag_ns(&both), (17 - M_E * 10 / 2) * MS, 1);
}

static void the_integral_is_that_of_what_is_below(void **state)
{
	const struct response_shape shape = {-3 * MS, 10 * MS, 4 * MS};
	struct response response;
	double sum = 0, step_ns = 1e3;

	(void)state;
	response_of_shape(&response, &shape);
	for (double t_ns = -5 * MS; t_ns < 60 * MS; t_ns += step_ns) {
		sum += step_ns * response_below(&response, t_ns + step_ns / 2);
		assert_near(response_integral_ns(&response, t_ns + step_ns), sum, 100);
	}
}

static double delay_of(const struct response_shape *shape)
{
	struct response response;

	response_of_shape(&response, shape);
	return response_mean_ns(&response);
}

static void what_is_moved_keeps_the_rest(void **state)
{
	const struct response_shape shape = {2 * MS, 20 * MS, 5 * MS};
	static const double by_ms[] = {-3, -0.1, 0.1, 7};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(by_ms); i++)
		for (int parameter = 0; parameter < SHAPE_PARAMETERS; parameter++) {
			double by_ns[SHAPE_PARAMETERS] = {0}, later_ns;
			struct response_shape moved;

			by_ns[parameter] = by_ms[i] * MS;
			later_ns = parameter == SHAPE_LAG ? by_ns[parameter] : 0;
			moved = response_shape_moved(&shape, by_ns);
			assert_near(moved.window_ns, shape.window_ns + by_ns[SHAPE_WINDOW], 1e-6);
			assert_near(moved.tail_ns, shape.tail_ns + by_ns[SHAPE_TAIL], 1e-6);
			/* but for what the cut of the tail leaves out, a thousandth of it */
			assert_near(delay_of(&moved), delay_of(&shape) + later_ns, 0.1 * MS);
		}
}

static void nothing_is_moved_below_nothing(void **state)
{
	const struct response_shape shape = {2 * MS, 3 * MS, 1 * MS};
	const double by_ns[SHAPE_PARAMETERS] = {[SHAPE_WINDOW] = -4 * MS, [SHAPE_TAIL] = -2 * MS};
	struct response_shape moved = response_shape_moved(&shape, by_ns);

	(void)state;
	assert_near(moved.window_ns, 0, 0);
	assert_near(moved.tail_ns, 0, 0);
	/* the mean delay is what it was: half of the window, and the tail */
	assert_near(moved.lag_ns, 2 * MS + 1.5 * MS + 1 * MS, 1e-6);
}

static void sides_are_as_far_apart_as_said(void **state)
{
	const struct response_shape none = {2 * MS, 0, 0}, some = {2 * MS, 20 * MS, 5 * MS};
	const struct {
		const struct response_shape *shape;
		int parameter;
		double up, down; /* by so much of the unit */
	} cases[] = {
		{&some, SHAPE_LAG, 0.01, 0.01},
		{&some, SHAPE_WINDOW, 0.01, 0.01},
		{&some, SHAPE_TAIL, 0.01, 0.01},
		{&none, SHAPE_LAG, 0.01, 0.01},
		{&none, SHAPE_WINDOW, 0.1, 0},
		{&none, SHAPE_TAIL, 0.1, 0},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const double unit_ns = 10 * MS;
		int parameter = cases[i].parameter;
		double up_ns[SHAPE_PARAMETERS] = {0}, down_ns[SHAPE_PARAMETERS] = {0};
		struct response_shape sides[2], up, down;

		up_ns[parameter] = cases[i].up * unit_ns;
		down_ns[parameter] = -cases[i].down * unit_ns;
		up = response_shape_moved(cases[i].shape, up_ns);
		down = response_shape_moved(cases[i].shape, down_ns);
		assert_near(response_shape_sides(cases[i].shape, parameter, unit_ns, sides),
			cases[i].up + cases[i].down, 1e-12);
		assert_memory_equal(&sides[0], &up, sizeof(up));
		assert_memory_equal(&sides[1], &down, sizeof(down));
	}
}

static void assert_step(const double score[SHAPE_PARAMETERS],
	const double expected[SHAPE_PARAMETERS], double expected_gain)
{
	static const double information[SHAPE_PARAMETERS * SHAPE_PARAMETERS] = {
		2, 1, 0, 1, 2, 0, 0, 0, 4};
	static const double length[SHAPE_PARAMETERS] = {1, 0.1, 0.15};
	double by[SHAPE_PARAMETERS];

	assert_near(response_shape_step(information, score, length, by), expected_gain, 1e-12);
	for (int i = 0; i < SHAPE_PARAMETERS; i++)
		assert_near(by[i], expected[i], 1e-12);
}

/*
 * Of a lag x, a window y of 0.1 and a tail z of 0.15: 2 x + y = u, x + 2 y = v and 4 z = w.
 *
 * For u = 0.3, v = 0.15 and w = 0.4 that is x = 0.15, y = 0 and z = 0.1, which gains 0.045 + 0.04.
 * For u = 0 and v = -0.3 it would be y = -0.2: the window has but 0.1, so that 2 x = 0.1, and the
 * gain is 0.1·0.3.  A lag of 1 is too far: a step is 0.2.
 */
static void a_step_goes_where_it_may(void **state)
{
	(void)state;
	assert_step((const double[]){0.3, 0.15, 0.4}, (const double[]){0.15, 0, 0.1}, 0.085);
	assert_step((const double[]){0, -0.3, 0}, (const double[]){0.05, -0.1, 0}, 0.03);
	assert_step((const double[]){2, 1, -8}, (const double[]){0.2, 0, -0.15}, 0.4 + 1.2);
}

static GArray *taps_of(const struct model_tap *list, guint count)
{
	GArray *taps = g_array_new(FALSE, FALSE, sizeof(*list));

	g_array_append_vals(taps, list, count);
	return taps;
}

static void calibrated_taps_are_a_response(void **state)
{
	GArray *taps = taps_of((const struct model_tap[]){{-1000, 1}, {1000, 2}, {3000, 1}}, 3);
	struct response response;

	(void)state;
	assert_true(response_of_taps(&response, taps));
	assert_near(response.begin_ns, -1000, 0);
	assert_near(response_below(&response, 1000), 0.25, 1e-12);
	assert_near(response_below(&response, 3000), 0.75, 1e-12);
	assert_near(response_mean_ns(&response), 2000, 1e-9);
	g_array_free(taps, TRUE);
}

static void taps_that_make_none_are_refused(void **state)
{
	static const struct model_tap uneven[] = {{0, 1}, {1000, 1}, {5000, 1}};
	static const struct model_tap nothing[] = {{0, 0}, {1000, 0}};
	static const struct model_tap back[] = {{1000, 1}, {0, 1}};
	static const struct model_tap one[] = {{0, 1}};
	const struct {
		const struct model_tap *list;
		guint count;
	} bad[] = {{uneven, 3}, {nothing, 2}, {back, 2}, {one, 1}};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GArray *taps = taps_of(bad[i].list, bad[i].count);
		struct response response;

		assert_false(response_of_taps(&response, taps));
		g_array_free(taps, TRUE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_is_a_mean_over_its_window),
		cmocka_unit_test(a_tail_smears_it),
		cmocka_unit_test(a_response_is_like_a_box),
		cmocka_unit_test(a_window_and_a_tail_are_like_a_box),
		cmocka_unit_test(the_integral_is_that_of_what_is_below),
		cmocka_unit_test(what_is_moved_keeps_the_rest),
		cmocka_unit_test(nothing_is_moved_below_nothing),
		cmocka_unit_test(sides_are_as_far_apart_as_said),
		cmocka_unit_test(a_step_goes_where_it_may),
		cmocka_unit_test(calibrated_taps_are_a_response),
		cmocka_unit_test(taps_that_make_none_are_refused),
	};

	return cmocka_run_group_tests_name("response", tests, NULL, NULL);
}
