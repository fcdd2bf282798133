/* SPDX-License-Identifier: MIT */
/* How far clocks explain that replays take longer or less than the program's executions. */
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

/* The pace of a replay of a kernel that takes 10 us in the program, at CLOCK_MHZ, and length_ns in
 * the replay, at clock_mhz; 0: clocks are not known. */
static double pace(double length_ns, uint32_t clock_mhz)
{
	struct model_state_sensor sensor;
	struct classes *classes;
	double *paces;
	struct one_gpu gpu;
	double found;

	one_gpu_begin(&gpu, 1e6, 10e6, 1);
	for (int i = 0; i < EXECUTIONS; i++)
		one_gpu_runs(&gpu, 0, i * 20 * US, (i * 20 + 10) * US);
	for (int i = 0; i < EXECUTIONS; i++)
		one_gpu_runs_for(&gpu, MODEL_REPLAYED, 0, REPLAY_NS + i * 50 * US,
			REPLAY_NS + i * 50 * US + length_ns);
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
	paces = paces_of(&gpu.model, classes);
	found = paces[one_gpu_execution(&gpu, EXECUTIONS)->origin];
	assert_float_equal(paces[one_gpu_execution(&gpu, 0)->origin], 1, 1e-9);
	g_free(paces);
	classes_free(classes);
	one_gpu_end(&gpu);
	return found;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lower_clock_explains_longer_executions),
		cmocka_unit_test(a_cache_explains_what_clocks_do_not),
		cmocka_unit_test(clocks_explain_a_part),
		cmocka_unit_test(unknown_clocks_explain_all),
	};

	return cmocka_run_group_tests_name("paces", tests, NULL, NULL);
}
