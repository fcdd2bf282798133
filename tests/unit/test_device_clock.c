/* SPDX-License-Identifier: MIT */
#include "preload/device_clock.h"
#include "preload/tp_emit.h"
#include "tests/unit/unit.h"

#define PID 1
#define OFFSET_NS 5000000000ULL /* the device's clock is so far ahead of the host's */

static struct pwrtrace_clock_sync last_sync;
static int syncs;

/* Stands in for the trace. */
bool tp_clock_sync(const struct pwrtrace_clock_sync *event)
{
	last_sync = *event;
	syncs++;
	return true;
}

static uint64_t moved_begin_ns(uint32_t device, uint64_t raw_ns)
{
	const struct gpu_times raw = {raw_ns, raw_ns, raw_ns, raw_ns};

	return device_clock_to_host(device, &raw).begin_ns;
}

static void unknown_stays_unknown(void **state)
{
	(void)state;
	assert_true(moved_begin_ns(1, 1000) == PWRTRACE_UNKNOWN_U64);
	device_clock_note(PID, 1, 100, 200, PWRTRACE_UNKNOWN_U64);
	assert_int_equal(syncs, 0);
	assert_true(moved_begin_ns(1, 1000) == PWRTRACE_UNKNOWN_U64);
	device_clock_note(PID, 1, 100, 200, OFFSET_NS + 150);
	assert_true(moved_begin_ns(1, PWRTRACE_UNKNOWN_U64) == PWRTRACE_UNKNOWN_U64);
	device_clock_note(PID, UINT32_MAX, 100, 200, 150);
	assert_true(moved_begin_ns(UINT32_MAX, 1000) == PWRTRACE_UNKNOWN_U64);
}

static void a_bracket_moves_times(void **state)
{
	(void)state;
	device_clock_note(PID, 2, 1000, 1200, OFFSET_NS + 1100);
	assert_int_equal(moved_begin_ns(2, OFFSET_NS + 7000), 7000);
	assert_int_equal(last_sync.host_ns, 1100);
	assert_int_equal(last_sync.raw_ns, OFFSET_NS + 1100);
	assert_int_equal(last_sync.error_ns, 100);
}

static void the_tightest_bracket_of_a_second_counts(void **state)
{
	const uint64_t later_ns = 3 * PWRTRACE_NS_PER_S;

	(void)state;
	device_clock_note(PID, 3, 1000, 2000, OFFSET_NS + 1000);
	device_clock_note(PID, 3, 3000, 3100, OFFSET_NS + 3050);
	assert_int_equal(moved_begin_ns(3, OFFSET_NS + 7000), 7000);
	device_clock_note(PID, 3, 4000, 6000, OFFSET_NS + 5900);
	assert_int_equal(moved_begin_ns(3, OFFSET_NS + 7000), 7000);
	/* The clocks drift: an old anchor gives way, even to a wider bracket. */
	device_clock_note(PID, 3, later_ns, later_ns + 400, OFFSET_NS + later_ns + 250);
	assert_int_equal(moved_begin_ns(3, OFFSET_NS + 7000), 6950);
}

static void the_last_bracket_is_written_at_the_end(void **state)
{
	(void)state;
	device_clock_note(PID, 4, 1000, 1100, OFFSET_NS + 1050);
	syncs = 0;
	device_clock_write_last(PID);
	assert_int_equal(syncs, 0);
	device_clock_note(PID, 4, 3000, 3400, OFFSET_NS + 3200);
	device_clock_note(PID, 4, 5000, 5300, OFFSET_NS + 5100);
	assert_int_equal(syncs, 0);
	device_clock_write_last(PID);
	assert_int_equal(syncs, 1);
	assert_int_equal(last_sync.host_ns, 5150);
	assert_int_equal(last_sync.raw_ns, OFFSET_NS + 5100);
	assert_int_equal(last_sync.error_ns, 150);
	assert_int_equal(moved_begin_ns(4, OFFSET_NS + 7000), 7000);
}

static void all_anchors_are_written_again(void **state)
{
	(void)state;
	syncs = 0;
	device_clock_write(PID);
	assert_int_equal(syncs, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_stays_unknown),
		cmocka_unit_test(a_bracket_moves_times),
		cmocka_unit_test(the_tightest_bracket_of_a_second_counts),
		cmocka_unit_test(the_last_bracket_is_written_at_the_end),
		cmocka_unit_test(all_anchors_are_written_again),
	};

	return cmocka_run_group_tests_name("device_clock", tests, NULL, NULL);
}
