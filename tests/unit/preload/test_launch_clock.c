/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/launch_clock.h"
#include "tests/unit/unit.h"

#define TICKS_PER_NS 3

/* So that the counter's true values are near those of the readings, which are made up of them. */
static uint64_t first_ticks, first_ns;

/* A reading after so many ns, by a counter of 3 GHz that began with its present value. */
static struct launch_clock_reading after(uint64_t ns)
{
	return (struct launch_clock_reading){first_ticks + ns * TICKS_PER_NS, first_ns + ns};
}

static void go_on(struct launch_clock_reading reading)
{
	launch_clock_go_on(&reading);
}

static int begin(void **state)
{
	(void)state;
	launch_clock_start();
	first_ticks = launch_clock_ticks();
	first_ns = clock_now_ns();
	return 0;
}

/* The time is that of clock_gettime, not the made-up one of the readings. */
static void assert_is_clock(void)
{
	uint64_t before_ns = clock_now_ns(), now_ns = launch_clock_now_ns();

	assert_true(now_ns >= before_ns && now_ns <= clock_now_ns());
}

static void it_is_the_systems_clock_until_the_slope_is_known(void **state)
{
	(void)state;
	assert_is_clock();
	go_on(after(0));
	assert_is_clock();
	go_on(after(50000000));
	assert_is_clock();
	assert_int_equal(launch_clock.valid_ticks, 0);
}

static void a_line_goes_on_from_the_last_reading(void **state)
{
	struct launch_clock_reading fast = after(150000000);

	(void)state;
	go_on(after(0));
	go_on(after(100000000));
	assert_int_equal(launch_clock.scale, (1ULL << 32) / TICKS_PER_NS);
	assert_int_equal(launch_clock.valid_ticks / 1000000, 200 * TICKS_PER_NS);
	/* The slope stays for now, but from here on. */
	fast.now_ns += 1000;
	go_on(fast);
	assert_int_equal(launch_clock.scale, (1ULL << 32) / TICKS_PER_NS);
	assert_int_equal(launch_clock.now_ns, first_ns + 150001000);
	go_on(after(200000000));
	assert_int_equal(launch_clock.scale, (1ULL << 32) / TICKS_PER_NS);
}

static void a_counter_that_was_set_begins_anew(void **state)
{
	struct launch_clock_reading moved;

	(void)state;
	go_on(after(0));
	go_on(after(100000000));
	assert_int_not_equal(launch_clock.valid_ticks, 0);
	moved = after(200000000);
	moved.ticks -= 1ULL << 40;
	go_on(moved);
	assert_int_equal(launch_clock.valid_ticks, 0);
	assert_is_clock();
	moved.ticks += 100000000 * TICKS_PER_NS;
	moved.now_ns += 100000000;
	go_on(moved);
	assert_int_equal(launch_clock.scale, (1ULL << 32) / TICKS_PER_NS);
}

/* As where the collector is gone, or the virtual machine was stopped. */
static void a_line_that_is_too_old_is_not_used(void **state)
{
	(void)state;
	go_on(after(0));
	go_on(after(100000000));
	launch_clock.ticks = launch_clock_ticks() - launch_clock.valid_ticks;
	assert_is_clock();
}

/* As in a process that was forked while the collector wrote. */
static void a_line_that_is_half_written_is_not_used(void **state)
{
	(void)state;
	go_on(after(0));
	go_on(after(100000000));
	launch_clock.ticks = launch_clock_ticks();
	launch_clock.turn++;
	assert_is_clock();
	launch_clock_start();
	assert_int_equal(launch_clock.turn & 1, 0);
}

/* A launch lies between what clock_gettime says before and after it, give or take a microsecond. */
static void it_agrees_with_the_systems_clock(void **state)
{
	uint64_t begin_ns = clock_now_ns();
	int told = 0;

	(void)state;
	while (clock_now_ns() - begin_ns < 300000000) {
		uint64_t before_ns, now_ns;

		launch_clock_compare();
		told += launch_clock.valid_ticks != 0;
		before_ns = clock_now_ns();
		now_ns = launch_clock_now_ns();
		assert_true(now_ns + 1000 >= before_ns);
		assert_true(now_ns <= clock_now_ns() + 1000);
	}
	/* Where the kernel tells its time by another clock, and under a hypervisor that interrupts
	 * every comparison, nothing was told. */
	if (!told)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(it_is_the_systems_clock_until_the_slope_is_known, begin),
		cmocka_unit_test_setup(a_line_goes_on_from_the_last_reading, begin),
		cmocka_unit_test_setup(a_counter_that_was_set_begins_anew, begin),
		cmocka_unit_test_setup(a_line_that_is_too_old_is_not_used, begin),
		cmocka_unit_test_setup(a_line_that_is_half_written_is_not_used, begin),
		cmocka_unit_test_setup(it_agrees_with_the_systems_clock, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
