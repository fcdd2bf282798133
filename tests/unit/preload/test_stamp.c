/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "preload/power/core/stamp.h"
#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define READ_NS (10 * PWRTRACE_NS_PER_MS)
#define LATE_NS_MAX 3000000

/* A clock that is days ahead of the host's and drifts by 20 ppm; readings come up to 3 ms late. */
static void stamps_are_placed_despite_late_readings_and_drift(void **state)
{
	struct stamp_clock clock = {0};
	uint64_t last_ns = 0;

	(void)state;
	srand(1);
	for (uint64_t i = 1; i < 60000; i++) {
		uint64_t true_ns = i * READ_NS;
		uint64_t stamp_ns = 345678 * PWRTRACE_NS_PER_S + true_ns + true_ns / 50000;
		uint64_t late_ns = (uint64_t)rand() % LATE_NS_MAX;
		uint64_t placed_ns = stamp_clock_time(&clock, stamp_ns, true_ns + late_ns);

		assert_true(placed_ns > last_ns);
		last_ns = placed_ns;
		/* 20 s of drift are 0.4 ms; the best of 1000 readings is late by some µs. */
		if (i > 1000)
			assert_in_range(placed_ns + PWRTRACE_NS_PER_MS, true_ns + 500000,
				true_ns + 1500000);
	}
}

static void a_clock_that_begins_anew_is_followed(void **state)
{
	struct stamp_clock clock = {0};

	(void)state;
	assert_true(stamp_clock_time(&clock, 5000, 1000000) == 1000000);
	assert_true(stamp_clock_time(&clock, 6000, 1002000) == 1001000);
	assert_true(stamp_clock_time(&clock, 10, 1010000) == 1010000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stamps_are_placed_despite_late_readings_and_drift),
		cmocka_unit_test(a_clock_that_begins_anew_is_followed),
	};

	return cmocka_run_group_tests_name("stamp", tests, NULL, NULL);
}
