/* SPDX-License-Identifier: MIT */
#include "analyzer/model/state.h"

#include "pwrtrace/units.h"
#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define SEEN_MS 1000. /* when the second state was read */

/* The clock between two times, where the device takes its values every period_ms and is read every
 * poll_ms (0: not known). */
static double clock_mhz(double period_ms, double poll_ms, double begin_ms, double end_ms)
{
	struct state_sums sums = {0};
	struct states *states;
	struct one_gpu gpu;
	double mhz;

	one_gpu_begin(&gpu, 20 * MS, 2000 * MS, 1);
	gpu.sensor.period_ns = period_ms > 0 ? (uint64_t)(period_ms * MS) : PWRTRACE_UNKNOWN_U64;
	gpu.sensor.poll_ns = poll_ms > 0 ? (uint64_t)(poll_ms * MS) : PWRTRACE_UNKNOWN_U64;
	one_gpu_is(&gpu, 0, 1980, 0);
	one_gpu_is(&gpu, SEEN_MS * MS, 1500, 0);
	one_gpu_set_source(&gpu);
	states = states_of(&gpu.model);
	states_add(states, &sums, 0, (uint64_t)(begin_ms * MS), (uint64_t)(end_ms * MS));
	mhz = state_clock_mhz(&sums);
	states_free(states);
	one_gpu_end(&gpu);
	return mhz;
}

/* In the mean it is half as old when it is read as it may be at most. */
static void state_begins_before_it_is_seen(void **test)
{
	(void)test;
	assert_float_equal(clock_mhz(100, 20, 900, 940), 1980, 1e-6);
	assert_float_equal(clock_mhz(100, 20, 940, 980), 1500, 1e-6);
	assert_float_equal(clock_mhz(100, 20, 920, 960), 1740, 1e-6);
	assert_float_equal(clock_mhz(0, 100, 900, 1000), 1740, 1e-6);
}

static void nothing_known_of_its_times_it_begins_when_it_is_seen(void **test)
{
	(void)test;
	assert_float_equal(clock_mhz(0, 0, 980, 1020), 1740, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_begins_before_it_is_seen),
		cmocka_unit_test(nothing_known_of_its_times_it_begins_when_it_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
