/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/calibrate.h"
#include "analyzer/response/calibration/taps.h"
#include "tests/unit/analyzer/synthetic.h"

#define SEEDS 4

static const struct synthetic sensors[] = {
	/* as NVML's samples on a Hopper */
	{.period_s = 0.02,
		.delay_s = 0.0025,
		.window_s = 0.025,
		.idle_w = 126,
		.step_w = 240,
		.noise_w = 2,
		.timing_s = 0.0005},
	/* a filter of first order */
	{.period_s = 0.02,
		.delay_s = 0.002,
		.tail_s = 0.012,
		.idle_w = 80,
		.step_w = 240,
		.noise_w = 2,
		.timing_s = 0.0003},
	/* both */
	{.period_s = 0.05,
		.delay_s = 0.01,
		.window_s = 0.04,
		.tail_s = 0.03,
		.idle_w = 30,
		.step_w = 60,
		.noise_w = 0.5,
		.length_s = 20},
	/* an average over many periods */
	{.period_s = 0.1,
		.delay_s = 0.05,
		.window_s = 1,
		.idle_w = 80,
		.step_w = 300,
		.noise_w = 1,
		.length_s = 30},
	/* an energy counter */
	{.period_s = 0.1,
		.delay_s = 0.01,
		.tail_s = 0.02,
		.idle_w = 80,
		.step_w = 300,
		.noise_w = 2,
		.counter = true,
		.length_s = 25},
};

static bool holds(struct estimate estimate, double truth)
{
	return estimate.low <= truth && truth <= estimate.high;
}

static struct response_shape shape_of(const struct synthetic *synthetic)
{
	return (struct response_shape){
		1e9 * synthetic->delay_s, 1e9 * synthetic->window_s, 1e9 * synthetic->tail_s};
}

#define CLAIMS 5

/* How many of the intervals hold the truth, of CLAIMS. */
static unsigned count_held(
	const struct synthetic *synthetic, const struct calibrated_response *response)
{
	struct response_shape truth = shape_of(synthetic);
	double lag_s = synthetic->counter ? response_shape_mean_ns(&truth) / 1e9
					  : response_shape_equivalent_lag_ns(&truth) / 1e9;

	return (synthetic->counter || holds(response->equivalent_window_s,
					      response_shape_equivalent_window_ns(&truth) / 1e9)) +
	       holds(response->equivalent_lag_s, lag_s) +
	       holds(response->step_w, synthetic->step_w) +
	       holds(response->idle_w, synthetic->idle_w) +
	       holds(response->noise_w, synthetic->noise_w);
}

/* An interval that says nothing would always be true. */
static void assert_is_narrow(
	const struct calibrated_response *response, const struct synthetic *synthetic)
{
	double lag_s = response->equivalent_lag_s.high - response->equivalent_lag_s.low;
	double window_s = response->equivalent_window_s.high - response->equivalent_window_s.low;

	assert_true(response->step_w.high - response->step_w.low < 0.02 * synthetic->step_w);
	assert_true(lag_s < 0.1 * synthetic->period_s);
	assert_true(synthetic->counter || window_s < 0.15 * synthetic->period_s);
	assert_false(response->at_edge);
}

static void intervals_hold_the_truth(void **state)
{
	unsigned held = 0, all = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sensors); i++) {
		for (unsigned seed = 1; seed <= SEEDS; seed++) {
			GRand *random = g_rand_new_with_seed(seed);
			struct load *load = synthetic_load(&sensors[i], random);
			GArray *observations = synthetic_observations(&sensors[i], load, random);
			struct calibrated_response response;

			assert_true(calibrate_response(
				&response, observations, load->on, sensors[i].period_s));
			assert_is_narrow(&response, &sensors[i]);
			held += count_held(&sensors[i], &response);
			all += CLAIMS;
			g_array_free(observations, TRUE);
			load_free(load);
			g_rand_free(random);
		}
	}
	print_message("# %u of %u intervals hold the truth\n", held, all);
	assert_in_range(held, all * 88 / 100, all);
}

static void what_does_not_answer_has_no_response(void **state)
{
	struct synthetic deaf = sensors[0];
	GRand *random = g_rand_new_with_seed(1);
	struct load *load = synthetic_load(&deaf, random);
	struct calibrated_response response;
	GArray *observations;

	(void)state;
	deaf.step_w = 0;
	observations = synthetic_observations(&deaf, load, random);
	assert_false(calibrate_response(&response, observations, load->on, deaf.period_s));
	g_array_free(observations, TRUE);
	load_free(load);
	g_rand_free(random);
}

/* Values that alternate with the load: with a delay by which each of them is late, a load that
 * takes power away would explain them, too.  Every tenth was read before its stamp. */
static void no_load_takes_power_away(void **state)
{
	struct load *load = load_new(0);
	GArray *observations = g_array_new(FALSE, FALSE, sizeof(struct load_observation));
	struct calibrated_response response;

	(void)state;
	for (int i = 0; i < 40; i++) {
		double on_s = 0.05 * i, off_s = on_s + 0.025;
		double late_s = i % 10 ? 0.0005 : -0.002;
		struct load_observation risen = {on_s + late_s, 0, 75};
		struct load_observation fallen = {off_s + late_s, 0, 25};

		load_add(load, true, (uint64_t)(on_s * 1e9), (uint64_t)(off_s * 1e9));
		g_array_append_val(observations, risen);
		g_array_append_val(observations, fallen);
	}
	load_finish(load, 0);
	assert_true(calibrate_response(&response, observations, load->on, 0.025));
	assert_true(response.step_w.value > 0);
	g_array_free(observations, TRUE);
	load_free(load);
}

static void neighbours_that_say_the_same_widen_intervals(void **state)
{
	GRand *random = g_rand_new_with_seed(1);
	struct load *load = synthetic_load(&sensors[0], random);
	GArray *observations = synthetic_observations(&sensors[0], load, random);
	struct calibrated_response alone, together;
	double wander_w = 0;

	(void)state;
	assert_true(calibrate_response(&alone, observations, load->on, sensors[0].period_s));
	for (guint i = 0; i < observations->len; i++) {
		wander_w = 0.9 * wander_w + synthetic_normal(random);
		LOAD_OBSERVATION(observations, i).power_w += wander_w;
	}
	assert_true(calibrate_response(&together, observations, load->on, sensors[0].period_s));
	assert_true(alone.correlation < 1.5 && together.correlation > 3);
	assert_true(together.step_w.high - together.step_w.low >
		    2 * (alone.step_w.high - alone.step_w.low));
	g_array_free(observations, TRUE);
	load_free(load);
	g_rand_free(random);
}

static void taps_follow_the_shape(void **state)
{
	struct response_shape truth = shape_of(&sensors[2]);
	GRand *random = g_rand_new_with_seed(1);
	struct load *load = synthetic_load(&sensors[2], random);
	GArray *observations = synthetic_observations(&sensors[2], load, random);
	struct calibrated_response response;
	struct taps free, exact;
	double difference = 0, sum = 0;
	unsigned held = 0;

	(void)state;
	assert_true(calibrate_response(&response, observations, load->on, sensors[2].period_s));
	assert_true(taps_fit(&free, &response, observations, load->on));
	exact.count = free.count;
	taps_of_shape(&exact, &truth, free.first_s, free.step_s);
	for (unsigned k = 0; k < free.count; k++) {
		assert_true(free.weight[k] >= 0);
		sum += free.weight[k];
		difference += fabs(free.weight[k] - exact.weight[k]);
		held += fabs(free.weight[k] - exact.weight[k]) <= free.error[k] + 1e-3;
	}
	assert_true(fabs(sum - 1) < 1e-9);
	assert_true(difference < 0.15);
	assert_in_range(held, free.count * 8 / 10, free.count);
	assert_true(free.fit > 0.8);
	g_array_free(observations, TRUE);
	load_free(load);
	g_rand_free(random);
}

/* Half of the answer at once, half of it two periods later: no window and tail are like that. */
static void taps_find_what_no_shape_is(void **state)
{
	struct synthetic early = {.period_s = 0.02,
				 .window_s = 0.005,
				 .idle_w = 50,
				 .step_w = 100,
				 .noise_w = 0.5},
			 late = early;
	GRand *random = g_rand_new_with_seed(1), *same = g_rand_new_with_seed(1);
	GRand *third = g_rand_new_with_seed(1);
	struct load *load = synthetic_load(&early, third);
	GArray *observations, *later;
	struct calibrated_response response;
	struct taps taps;
	double between = 0;

	(void)state;
	late.delay_s = 0.04;
	observations = synthetic_observations(&early, load, random);
	later = synthetic_observations(&late, load, same);
	for (guint i = 0; i < observations->len; i++)
		LOAD_OBSERVATION(observations, i).power_w =
			(LOAD_OBSERVATION(observations, i).power_w +
				LOAD_OBSERVATION(later, i).power_w) /
			2;
	assert_true(calibrate_response(&response, observations, load->on, early.period_s));
	assert_true(taps_fit(&taps, &response, observations, load->on));
	for (unsigned k = 0; k < taps.count; k++) {
		double lag_s = taps.first_s + k * taps.step_s;

		if (lag_s > 0.012 && lag_s < 0.033)
			between += taps.weight[k];
	}
	assert_true(taps.fit < 0.5);
	assert_true(between < 0.1);
	g_array_free(observations, TRUE);
	g_array_free(later, TRUE);
	load_free(load);
	g_rand_free(random);
	g_rand_free(same);
	g_rand_free(third);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_truth),
		cmocka_unit_test(what_does_not_answer_has_no_response),
		cmocka_unit_test(no_load_takes_power_away),
		cmocka_unit_test(neighbours_that_say_the_same_widen_intervals),
		cmocka_unit_test(taps_follow_the_shape),
		cmocka_unit_test(taps_find_what_no_shape_is),
	};

	return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
