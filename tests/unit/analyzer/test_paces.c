/* SPDX-License-Identifier: MIT */
/* How far clocks explain that replays take longer or less than the program's executions, and what
 * follows for what they draw. */
#include "analyzer/regress/design/paces.h"

#include "tests/unit/analyzer/one_gpu.h"

#define US 1e3
#define EXECUTIONS 20
#define REPLAY_NS 5e6
#define CLOCK_MHZ 2000

static void set_clock(GArray *states, double time_ns, uint32_t clock_mhz)
{
	const struct model_state state = {.time_ns = (uint64_t)time_ns, .sm_clock_mhz = clock_mhz};

	g_array_append_val(states, state);
}

/* What is found of a replay, and what part of the program's power it draws. */
struct found {
	struct pace pace;
	double part;
};

/* What a replay is, and how much longer every fourth of its executions takes. */
static enum model_replayed replay_is = MODEL_REPLAYED;
static double longer_ns;

/* Of a replay of a kernel that takes 10 us in the program, at CLOCK_MHZ, a third of the
 * executions varies_ns longer and a third as much shorter, and length_ns in the replay, at
 * clock_mhz; 0: clocks are not known. */
static struct found found(double length_ns, uint32_t clock_mhz, double varies_ns)
{
	struct model_state_sensor sensor;
	struct classes *classes;
	struct one_gpu gpu;
	struct found found;
	uint32_t own, replayed;

	one_gpu_begin(&gpu, 1e6, 10e6, 1);
	for (int i = 0; i < EXECUTIONS; i++)
		one_gpu_runs(&gpu, 0, i * 20 * US, (i * 20 + 10) * US + (i % 3 - 1) * varies_ns);
	for (int i = 0; i < EXECUTIONS; i++)
		one_gpu_runs_for(&gpu, replay_is, 0, REPLAY_NS + i * 50 * US,
			REPLAY_NS + i * 50 * US + length_ns + (i % 4 ? 0 : longer_ns));
	sensor = (struct model_state_sensor){.about = gpu.sensor,
		.states = g_array_new(FALSE, FALSE, sizeof(struct model_state))};
	if (clock_mhz) {
		set_clock(sensor.states, 0, CLOCK_MHZ);
		set_clock(sensor.states, REPLAY_NS, clock_mhz);
		set_clock(sensor.states, 10e6, clock_mhz);
	}
	g_array_append_val(gpu.model.state_sensors, sensor);
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	paces_find(&gpu.model, classes);
	own = one_gpu_execution(&gpu, 0)->origin;
	replayed = one_gpu_execution(&gpu, EXECUTIONS)->origin;
	assert_float_equal(classes->paces[own].ratio, 1, 1e-9);
	assert_float_equal(columns_part(&classes->columns, one_gpu_execution(&gpu, 0)), 1, 1e-9);
	found = (struct found){classes->paces[replayed],
		columns_part(&classes->columns, one_gpu_execution(&gpu, EXECUTIONS))};
	classes_free(classes);
	one_gpu_end(&gpu);
	return found;
}

static double pace(double length_ns, uint32_t clock_mhz)
{
	return found(length_ns, clock_mhz, 0).pace.ratio;
}

static void a_lower_clock_explains_longer_executions(void **state)
{
	(void)state;
	assert_float_equal(pace(12.5 * US, 1600), 1, 1e-9);
	assert_float_equal(pace(10 * US, 1600), 1, 1e-9);
}

static void a_cache_explains_what_clocks_do_not(void **state)
{
	(void)state;
	assert_float_equal(pace(8 * US, CLOCK_MHZ), 10. / 8, 1e-9);
	assert_float_equal(pace(12 * US, CLOCK_MHZ), 10. / 12, 1e-9);
}

/* At 4/5 of the clock executions take up to (5/4)^1.25 as long, as samples of clocks are few. */
static void clocks_explain_a_part(void **state)
{
	(void)state;
	assert_float_equal(pace(20 * US, 1600), pow(1.25, 1.25) / 2, 1e-9);
}

static void unknown_clocks_explain_all(void **state)
{
	(void)state;
	assert_float_equal(pace(8 * US, 0), 1, 1e-9);
}

/* Half of the time that the clock does not explain is waited, at no power. */
static void replays_draw_less_where_they_take_longer(void **state)
{
	(void)state;
	assert_float_equal(found(10.2 * US, CLOCK_MHZ, 0).part, sqrt(10 / 10.2), 1e-6);
	assert_float_equal(found(9.8 * US, CLOCK_MHZ, 0).part, sqrt(10 / 9.8), 1e-6);
	assert_float_equal(found(10.2 * US, (uint32_t)(CLOCK_MHZ / 1.02), 0).part, 1, 1e-6);
}

/* Where durations differ by more, the kernel does other work for most of the difference. */
static void they_draw_no_more_where_it_is_other_work(void **state)
{
	(void)state;
	assert_float_equal(found(5 * US, CLOCK_MHZ, 0).part, exp(0.05 / 2), 1e-6);
	assert_float_equal(found(20 * US, CLOCK_MHZ, 0).part, exp(-0.05 / 2), 1e-6);
}

static void the_programs_durations_vary(void **state)
{
	(void)state;
	assert_float_equal(found(10 * US, CLOCK_MHZ, 0).pace.spread, 0, 1e-9);
	assert_float_equal(found(10 * US, CLOCK_MHZ, US).pace.spread, log(11. / 9) / 2, 1e-9);
}

/* A fourth of the replay's executions takes longer, too. */
static void they_vary_no_more_than_the_replays(void **state)
{
	(void)state;
	longer_ns = US;
	assert_float_equal(found(10 * US, CLOCK_MHZ, US).pace.spread,
		sqrt(pow(log(11. / 9), 2) - pow(log(11. / 10), 2)) / 2, 1e-9);
	longer_ns = 4 * US;
	assert_float_equal(found(10 * US, CLOCK_MHZ, US).pace.spread, 0, 1e-9);
	longer_ns = 0;
}

static void mean_times_tell_of_a_replay_that_finds_a_cold_cache_at_times(void **state)
{
	(void)state;
	longer_ns = 4 * US;
	assert_float_equal(pace(9 * US, CLOCK_MHZ), 10. / 9, 1e-9);
	replay_is = MODEL_REPLAYED_MIXED;
	assert_float_equal(pace(9 * US, CLOCK_MHZ), 1, 1e-3);
	replay_is = MODEL_REPLAYED;
	longer_ns = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lower_clock_explains_longer_executions),
		cmocka_unit_test(a_cache_explains_what_clocks_do_not),
		cmocka_unit_test(clocks_explain_a_part),
		cmocka_unit_test(unknown_clocks_explain_all),
		cmocka_unit_test(replays_draw_less_where_they_take_longer),
		cmocka_unit_test(they_draw_no_more_where_it_is_other_work),
		cmocka_unit_test(the_programs_durations_vary),
		cmocka_unit_test(they_vary_no_more_than_the_replays),
		cmocka_unit_test(mean_times_tell_of_a_replay_that_finds_a_cold_cache_at_times),
	};

	return cmocka_run_group_tests_name("paces", tests, NULL, NULL);
}
