/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/device_clock.h"
#include "tests/unit/unit.h"

#define OWN(device) ((struct device_clock_id){device, 0})
#define OFFSET_NS 5000000000ULL /* how far the device's clock is ahead of the host's */

static struct pwrtrace_clock_sync last_sync;
static int syncs;

/* Replaces the tracepoint. */
bool tp_clock_sync(const struct pwrtrace_clock_sync *event)
{
	last_sync = *event;
	syncs++;
	return true;
}

static uint64_t moved_begin_ns(uint32_t device, uint64_t raw_ns)
{
	return device_clock_to_host(OWN(device), raw_ns, raw_ns + 1).begin_ns;
}

static uint32_t anchor(uint32_t device)
{
	return device_clock_to_host(OWN(device), 0, 1).anchor;
}

static void without_an_anchor_times_stay_as_they_are(void **state)
{
	(void)state;
	assert_int_equal(moved_begin_ns(1, 1000), 1000);
	assert_int_equal(anchor(1), PWRTRACE_UNKNOWN_U32);
	device_clock_note(OWN(1), 100, 200, PWRTRACE_UNKNOWN_U64);
	assert_int_equal(syncs, 0);
	assert_int_equal(anchor(1), PWRTRACE_UNKNOWN_U32);
	device_clock_note(OWN(1), 100, 200, OFFSET_NS + 150);
	assert_int_equal(moved_begin_ns(1, OFFSET_NS + 1000), 1000);
}

/* So that whoever has the trace can find the device's own times. */
static void times_name_the_anchor_that_moved_them(void **state)
{
	uint32_t first;

	(void)state;
	device_clock_note(OWN(7), 1000, 1200, OFFSET_NS + 1100);
	first = last_sync.anchor;
	assert_int_equal(anchor(7), first);
	device_clock_note(OWN(7), 2000, 2100, OFFSET_NS + 2050);
	assert_int_not_equal(last_sync.anchor, first);
	assert_int_equal(anchor(7), last_sync.anchor);
	/* A wider bracket is kept for later, and moves no times yet. */
	device_clock_note(OWN(7), 3000, 3900, OFFSET_NS + 3100);
	assert_int_equal(anchor(7), last_sync.anchor);
}

static void a_bracket_moves_times(void **state)
{
	(void)state;
	device_clock_note(OWN(2), 1000, 1200, OFFSET_NS + 1100);
	assert_int_equal(moved_begin_ns(2, OFFSET_NS + 7000), 7000);
	assert_int_equal(last_sync.host_ns, 1100);
	assert_int_equal(last_sync.raw_ns, OFFSET_NS + 1100);
	assert_int_equal(last_sync.error_ns, 100);
}

static void the_tightest_bracket_of_a_second_counts(void **state)
{
	const uint64_t later_ns = 3 * PWRTRACE_NS_PER_S;

	(void)state;
	device_clock_note(OWN(3), 1000, 2000, OFFSET_NS + 1000);
	device_clock_note(OWN(3), 3000, 3100, OFFSET_NS + 3050);
	assert_int_equal(moved_begin_ns(3, OFFSET_NS + 7000), 7000);
	device_clock_note(OWN(3), 4000, 6000, OFFSET_NS + 5900);
	assert_int_equal(moved_begin_ns(3, OFFSET_NS + 7000), 7000);
	/* Since the clocks drift, an old comparison is replaced, even by one with a larger error.
	 */
	device_clock_note(OWN(3), later_ns, later_ns + 400, OFFSET_NS + later_ns + 250);
	assert_int_equal(moved_begin_ns(3, OFFSET_NS + 7000), 6950);
}

/* The tightest bracket of the second before it says little of the time after. */
static void a_pause_makes_brackets_old(void **state)
{
	const uint64_t later_ns = 3600 * PWRTRACE_NS_PER_S;

	(void)state;
	device_clock_note(OWN(8), 1000, 1100, OFFSET_NS + 1050);
	device_clock_note(OWN(8), 3000, 3200, OFFSET_NS + 3100);
	device_clock_note(OWN(8), later_ns, later_ns + 400, OFFSET_NS + later_ns + 5200);
	assert_int_equal(moved_begin_ns(8, OFFSET_NS + later_ns + 5200), later_ns + 200);
}

static void a_bracket_that_ends_before_it_begins_is_none(void **state)
{
	(void)state;
	device_clock_note(OWN(9), 1000, 900, OFFSET_NS + 950);
	assert_int_equal(anchor(9), PWRTRACE_UNKNOWN_U32);
	device_clock_note(OWN(9), 1000, 1200, OFFSET_NS + 1100);
	device_clock_note(OWN(9), 2000, 1900, OFFSET_NS + 1);
	assert_int_equal(moved_begin_ns(9, OFFSET_NS + 7000), 7000);
}

static void the_last_bracket_is_written_at_the_end(void **state)
{
	(void)state;
	device_clock_note(OWN(4), 1000, 1100, OFFSET_NS + 1050);
	syncs = 0;
	device_clock_write_last();
	assert_int_equal(syncs, 0);
	device_clock_note(OWN(4), 3000, 3400, OFFSET_NS + 3200);
	device_clock_note(OWN(4), 5000, 5300, OFFSET_NS + 5100);
	assert_int_equal(syncs, 0);
	device_clock_write_last();
	assert_int_equal(syncs, 1);
	assert_int_equal(last_sync.host_ns, 5150);
	assert_int_equal(last_sync.raw_ns, OFFSET_NS + 5100);
	assert_int_equal(last_sync.error_ns, 150);
	assert_int_equal(moved_begin_ns(4, OFFSET_NS + 7000), 7000);
}

/* The events of each context count their time from another moment. */
static void clocks_of_one_device(void **state)
{
	const struct device_clock_id ids[] = {{5, 1}, {5, 2}, {5, 0}};

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		device_clock_note(ids[i], 1000, 1200, (i + 1) * OFFSET_NS + 1100);
		assert_int_equal(last_sync.device, 5);
		assert_int_equal(last_sync.clock, ids[i].number);
	}
	for (uint64_t i = 0; i < 3; i++) {
		const uint64_t raw_ns = (i + 1) * OFFSET_NS + 7000;

		assert_int_equal(device_clock_to_host(ids[i], raw_ns, raw_ns).begin_ns, 7000);
	}
}

/* A program that makes one context after the other: new clocks replace the oldest. */
static void more_clocks_than_are_kept(void **state)
{
	(void)state;
	for (uint32_t number = 1; number <= 1000; number++) {
		const struct device_clock_id id = {6, number};
		device_clock_note(id, 10000 + number, 10200 + number, number);
		assert_int_equal(device_clock_to_host(id, number + 500, number + 600).begin_ns,
			10600 + number);
	}
}

static void all_anchors_are_written_again(void **state)
{
	(void)state;
	syncs = 0;
	device_clock_write();
	assert_int_equal(syncs, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_an_anchor_times_stay_as_they_are),
		cmocka_unit_test(a_bracket_moves_times),
		cmocka_unit_test(the_tightest_bracket_of_a_second_counts),
		cmocka_unit_test(the_last_bracket_is_written_at_the_end),
		cmocka_unit_test(all_anchors_are_written_again),
		cmocka_unit_test(times_name_the_anchor_that_moved_them),
		cmocka_unit_test(clocks_of_one_device),
		cmocka_unit_test(a_pause_makes_brackets_old),
		cmocka_unit_test(a_bracket_that_ends_before_it_begins_is_none),
		cmocka_unit_test(more_clocks_than_are_kept),
	};

	return cmocka_run_group_tests_name("device_clock", tests, NULL, NULL);
}
