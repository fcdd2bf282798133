/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/launch_clock.h"
#include "tests/unit/unit.h"

#define TICKS_PER_NS 4

#define SECOND_NS 1000000000
#define FIRST_TICKS 1000000
#define FIRST_NS (50ULL * SECOND_NS)

/* A reading so many ns after the first one, by a counter of 4 GHz. */
static struct launch_clock_reading after(uint64_t ns)
{
	return (struct launch_clock_reading){FIRST_TICKS + ns * TICKS_PER_NS, FIRST_NS + ns};
}

static void go_on(struct launch_clock_reading reading)
{
	launch_clock_go_on(&reading);
}

/* The counter is set to the first reading of the case, so that it counts from there. */
static int begin(void **state)
{
	(void)state;
	launch_clock_start();
	go_on((struct launch_clock_reading){1ULL << 40, FIRST_NS});
	go_on(after(0));
	return 0;
}

static void assert_is(struct launch_clock_reading reading)
{
	assert_int_equal(launch_clock_ns(reading.ticks | LAUNCH_CLOCK_COUNTED), reading.now_ns);
}

/* The first launches come before the first round of the collector. */
static void the_first_two_readings_tell_what_is_between_them(void **state)
{
	(void)state;
	go_on(after(900));
	assert_is(after(300));
	assert_is(after(900));
	assert_is(after(1200));
}

static void a_line_goes_through_the_last_reading(void **state)
{
	struct launch_clock_reading late = after(1500000000);
	struct launch_clock_reading between = after(1499999000);

	(void)state;
	go_on(after(1000000000));
	/* The slope stays for now, but from here on. */
	late.now_ns += 1000;
	between.now_ns += 1000;
	go_on(late);
	assert_is(late);
	assert_is(between);
	go_on(after(2000000000));
	assert_is(after(2000000000));
	assert_is(after(1999999000));
}

static void a_slope_is_kept_until_a_longer_one_is_known(void **state)
{
	struct launch_clock_reading rough = after(1000000);

	(void)state;
	/* A quarter fast, as the thread was interrupted. */
	rough.now_ns += 250000;
	go_on(rough);
	go_on(after(1000000000));
	assert_is(after(999000000));
	rough = after(1001000000);
	rough.now_ns += 250000;
	go_on(rough);
	go_on(after(1002000000));
	assert_is(after(1001500000));
}

static void a_counter_that_was_set_begins_anew(void **state)
{
	struct launch_clock_reading before = after(1999000000), moved = after(2000000000), later;

	(void)state;
	go_on(after(1000000000));
	moved.ticks += 1ULL << 40;
	go_on(moved);
	/* Of a launch before, nobody knows more. */
	assert_int_equal(launch_clock_ns(before.ticks | LAUNCH_CLOCK_COUNTED), moved.now_ns);
	later = moved;
	later.ticks += 3000 * TICKS_PER_NS;
	later.now_ns += 3000;
	go_on(later);
	assert_is(later);
	moved.ticks += 1000 * TICKS_PER_NS;
	moved.now_ns += 1000;
	assert_is(moved);
}

static void what_is_in_nanoseconds_stays(void **state)
{
	(void)state;
	assert_int_equal(launch_clock_ns(FIRST_NS), FIRST_NS);
	assert_int_equal(launch_clock_ns(0), 0);
	assert_int_equal(launch_clock_ns(PWRTRACE_UNKNOWN_U64), PWRTRACE_UNKNOWN_U64);
}

/* As where the kernel tells its time by another clock. */
static void without_the_counter_it_is_the_systems_clock(void **state)
{
	uint64_t before_ns = clock_now_ns(), now_ns;

	(void)state;
	launch_clock_counts = false;
	now_ns = launch_clock_ns(launch_clock_stamp());
	assert_true(now_ns >= before_ns && now_ns <= clock_now_ns());
}

/* A launch lies between what clock_gettime says before and after it, give or take a microsecond.
 * Where the kernel tells its time by another clock, exactly. */
static void it_agrees_with_the_systems_clock(void **state)
{
	uint64_t begin_ns = clock_now_ns();

	(void)state;
	launch_clock_start();
	while (clock_now_ns() - begin_ns < 300000000) {
		uint64_t before_ns = clock_now_ns(), stamp = launch_clock_stamp();
		uint64_t after_ns = clock_now_ns(), told_ns;

		launch_clock_compare();
		told_ns = launch_clock_ns(stamp);
		assert_true(told_ns + 1000 >= before_ns);
		assert_true(told_ns <= after_ns + 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_first_two_readings_tell_what_is_between_them, begin),
		cmocka_unit_test_setup(a_line_goes_through_the_last_reading, begin),
		cmocka_unit_test_setup(a_slope_is_kept_until_a_longer_one_is_known, begin),
		cmocka_unit_test_setup(a_counter_that_was_set_begins_anew, begin),
		cmocka_unit_test(what_is_in_nanoseconds_stays),
		cmocka_unit_test(without_the_counter_it_is_the_systems_clock),
		cmocka_unit_test(it_agrees_with_the_systems_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
