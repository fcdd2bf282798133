/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/sizes.h"

#include <string.h>

#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define US PWRTRACE_NS_PER_S / 1000000

/* What a replay of repetitions that take each_ns, as the host measures, meets. */
static enum size_met meet(const struct replay_sizes *sizes, uint64_t each_ns)
{
	struct replay_sizes copy = *sizes;

	sizes_begin(&copy, each_ns, 0);
	return sizes_meet(&copy, false);
}

/* What the engine does with launches of a class whose times repeat, a letter each: 'a' 15 us, 'b'
 * 43 us, 'c' 90 us.  The device's times are known `late` launches later.  Sets replayed to the
 * letters in the order of their replays; returns how many launches were tried in vain. */
static unsigned run(const char *loop, unsigned launches, unsigned late, char *replayed)
{
	static const uint64_t us[] = {15, 43, 90};
	struct replay_sizes sizes = {.count = 0};
	unsigned missed = 0;

	*replayed = '\0';
	for (unsigned launch = 3; launch < launches; launch++) {
		uint64_t time_ns = us[loop[launch % strlen(loop)] - 'a'] * US;
		bool first;

		if (launch >= late)
			sizes_ran(&sizes,
				us[loop[(launch - late) % strlen(loop)] - 'a'] * US +
					launch * 7919 % 1000,
				true);
		if (launch < sizes.next_try || (sizes.replay_count && !sizes_wanted(&sizes)))
			continue;
		/* A replay launches without pauses, and the host measures that. */
		first = !sizes.replay_count;
		sizes_begin(&sizes, time_ns + 900, launch);
		if (first || sizes_meet(&sizes, false) == SIZE_WANTED) {
			strncat(replayed, &loop[launch % strlen(loop)], 1);
			sizes_try_later(&sizes, launch);
		} else {
			sizes_missed(&sizes, launch);
			missed++;
		}
	}
	return missed;
}

static void each_size_is_replayed_once(void **state)
{
	char replayed[32];

	(void)state;
	for (unsigned late = 0; late < 300; late += 100) {
		assert_int_equal(run("a", 10000, late, replayed), 0);
		assert_string_equal(replayed, "a");
		run("ab", 10000, late, replayed);
		assert_string_equal(replayed, "ba");
		run("aab", 10000, late, replayed);
		assert_string_equal(replayed, "ab");
		run("aaabbaaaaaab", 10000, late, replayed);
		assert_int_equal(strlen(replayed), 2);
		run("abcabc", 10000, late, replayed);
		assert_int_equal(strlen(replayed), 3);
	}
}

static void few_launches_are_tried_in_vain(void **state)
{
	char replayed[32];

	(void)state;
	assert_int_equal(run("a", 1000000, 0, replayed), 0);
	assert_in_range(run("abc", 1000000, 0, replayed), 0, 3 * 8);
}

/* 'b' is less than 5 % of the time, and so is the pause of a busy machine. */
static void what_is_rare_is_not_replayed(void **state)
{
	struct replay_sizes sizes = {.count = 0};
	char replayed[32];

	(void)state;
	assert_int_equal(run("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
				 10000, 50, replayed),
		0);
	assert_string_equal(replayed, "a");
	sizes_begin(&sizes, 15 * US, 3);
	for (int i = 0; i < 20; i++)
		sizes_ran(&sizes, 15 * US, true);
	for (int i = 0; i < 3; i++)
		sizes_ran(&sizes, 500 * US, true);
	assert_int_equal(sizes_busy_ns(&sizes), 0);
	sizes_ran(&sizes, 500 * US, true);
	assert_int_equal(sizes_busy_ns(&sizes), 4 * 500 * US);
}

/* Nor are two times of kernels that are as short as what a device needs for any. */
static void few_launches_and_short_ones_tell_no_sizes(void **state)
{
	struct replay_sizes sizes = {.count = 0}, tiny = sizes;

	(void)state;
	for (int i = 0; i < 15; i++) {
		assert_false(sizes_are_known(&sizes));
		sizes_ran(&sizes, i % 2 ? 15 * US : 43 * US, true);
		assert_int_equal(sizes_wanted(&sizes), 0);
	}
	sizes_ran(&sizes, 15 * US, true);
	assert_true(sizes_are_known(&sizes));
	assert_int_equal(sizes_wanted(&sizes), 2);
	for (int i = 0; i < 20; i++)
		sizes_ran(&tiny, i % 2 ? 1000 : 1400, true);
	assert_int_equal(sizes_wanted(&tiny), 1);
}

/* Begins a replay of a class whose launches take 1.9 or 2.6 us, in turns: the host sees 20 us of
 * both, and the device tells so many of its repetitions, which are faster. */
static enum size_met meet_short(struct replay_sizes *sizes, uint64_t time_ns, unsigned told)
{
	uint64_t begin_ns = sizes->replay_count * 1000 + 1000;

	sizes_begin(sizes, 20 * US, begin_ns);
	for (unsigned i = 0; i < told; i++) {
		assert_int_equal(sizes_meet(sizes, true), SIZE_UNKNOWN);
		assert_true(sizes_await_times(sizes));
		sizes_repeated(sizes, begin_ns - 1, 100 * US);
		sizes_repeated(sizes, begin_ns + 1, time_ns);
	}
	return sizes_meet(sizes, told > 0);
}

static void sizes_of_short_kernels_are_told_by_the_device(void **state)
{
	struct replay_sizes sizes = {.count = 0};

	(void)state;
	for (int i = 0; i < 20; i++)
		sizes_ran(&sizes, i % 2 ? 1900 : 2700, true);
	assert_int_equal(sizes_wanted(&sizes), 2);
	assert_int_equal(meet_short(&sizes, 2500, 32), SIZE_WANTED);
	assert_false(sizes_await_times(&sizes));
	assert_int_equal(sizes_times(&sizes).warm_ns, 2500);
	assert_int_equal(sizes_times(&sizes).own_ns, 2700);
	sizes_end(&sizes, 1500);
	assert_int_equal(sizes_wanted(&sizes), 2);
	assert_int_equal(meet_short(&sizes, 2500, 32), SIZE_WANTED_COLD);
	assert_int_equal(sizes_times(&sizes).warm_ns, 2500);
	sizes_begin_cold(&sizes, 5000);
	assert_true(sizes_await_times(&sizes));
	sizes_settle(&sizes);
	assert_false(sizes_await_times(&sizes));
	assert_int_equal(sizes_wanted(&sizes), 1);
	assert_int_equal(meet_short(&sizes, 2500, 32), SIZE_UNWANTED);
	assert_int_equal(meet_short(&sizes, 1880, 32), SIZE_WANTED);
	assert_int_equal(sizes_times(&sizes).own_ns, 1900);
	assert_int_equal(sizes_wanted(&sizes), 0);
	assert_false(sizes_are_timed(&sizes));
}

/* Where it tells no times, or too late, the host's decide. */
static void without_the_devices_times_the_host_decides(void **state)
{
	struct replay_sizes sizes = {.count = 0};

	(void)state;
	for (int i = 0; i < 20; i++)
		sizes_ran(&sizes, i % 2 ? 15 * US : 43 * US, true);
	sizes_begin(&sizes, 15 * US, 1000);
	sizes_begin(&sizes, 44 * US, 2000);
	assert_int_equal(sizes_meet(&sizes, true), SIZE_UNKNOWN);
	assert_int_equal(sizes_meet(&sizes, false), SIZE_WANTED);
	assert_int_equal(meet_short(&sizes, 0, 0), SIZE_UNWANTED);
}

static void a_size_that_is_not_met_is_given_up(void **state)
{
	struct replay_sizes sizes = {.count = 0};
	unsigned tries = 0;

	(void)state;
	sizes_begin(&sizes, 15 * US, 3);
	for (int i = 0; i < 10; i++) {
		sizes_ran(&sizes, 15 * US, true);
		sizes_ran(&sizes, 43 * US, true);
	}
	assert_int_equal(sizes_wanted(&sizes), 1);
	for (; sizes_wanted(&sizes); tries++)
		sizes_missed(&sizes, tries);
	assert_int_equal(tries, 16);
	assert_int_equal(meet(&sizes, 43 * US), SIZE_UNWANTED);
}

/* What a replay of a class whose launches take 10 us is followed by, where its repetitions take
 * repeated_us on the device. */
static enum size_met after_a_replay(uint64_t repeated_us, bool settled)
{
	struct replay_sizes sizes = {.count = 0};

	sizes_begin(&sizes, 11 * US, 1000);
	sizes_repeated(&sizes, 1500, repeated_us * US);
	sizes_end(&sizes, 2000);
	sizes_repeated(&sizes, 2500, 100 * US);
	if (settled)
		sizes_settle(&sizes);
	for (int i = 0; i < 20; i++)
		sizes_ran(&sizes, 10 * US, true);
	assert_int_equal(sizes_times(&sizes).warm_ns, repeated_us * US);
	assert_int_equal(sizes_times(&sizes).own_ns, 10 * US);
	assert_int_equal(sizes_wanted(&sizes), meet(&sizes, 11 * US) != SIZE_UNWANTED);
	return meet(&sizes, 11 * US);
}

static void what_is_faster_when_repeated_is_wanted_with_a_cold_cache(void **state)
{
	(void)state;
	assert_int_equal(after_a_replay(10, false), SIZE_UNWANTED);
	assert_int_equal(after_a_replay(12, false), SIZE_UNWANTED);
	assert_int_equal(after_a_replay(9, false), SIZE_WANTED_COLD);
	assert_int_equal(after_a_replay(6, false), SIZE_WANTED_COLD);
	assert_int_equal(after_a_replay(6, true), SIZE_UNWANTED);
}

static void few_repetitions_do_not_tell_that_launches_take_longer(void **state)
{
	struct replay_sizes sizes = {.count = 0};

	(void)state;
	assert_false(sizes_are_longer_yet(&sizes));
	sizes_begin(&sizes, 11 * US, 1000);
	for (int i = 0; i < 20; i++)
		sizes_ran(&sizes, 10 * US, true);
	for (int i = 0; i < 32; i++) {
		assert_false(sizes_are_longer_yet(&sizes));
		sizes_repeated(&sizes, 1500, 9 * US);
	}
	assert_true(sizes_are_longer_yet(&sizes));
	for (int i = 0; i < 320; i++)
		sizes_repeated(&sizes, 1500, 10 * US);
	assert_false(sizes_are_longer_yet(&sizes));
}

/* A kernel takes a little longer where another one ran before, whatever data it reads. */
static void short_launches_that_hardly_take_longer_want_no_cold_cache(void **state)
{
	(void)state;
	assert_false(sizes_are_longer(&(struct replay_times){.own_ns = 850, .warm_ns = 750}));
	assert_true(sizes_are_longer(&(struct replay_times){.own_ns = 1200, .warm_ns = 950}));
	assert_false(sizes_are_longer(&(struct replay_times){.own_ns = 10200, .warm_ns = 10000}));
}

/* What ran right after a replay found the replay's data in the cache. */
static void disturbed_launches_do_not_tell_the_programs_time(void **state)
{
	struct replay_sizes sizes = {.count = 0};

	(void)state;
	sizes_begin(&sizes, 11 * US, 1000);
	sizes_repeated(&sizes, 1500, 10 * US);
	sizes_end(&sizes, 2000);
	for (int i = 0; i < 20; i++)
		sizes_ran(&sizes, 11 * US, false);
	assert_int_equal(sizes_times(&sizes).own_ns, 0);
	assert_int_equal(meet(&sizes, 11 * US), SIZE_UNWANTED);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(sizes_times(&sizes).own_ns, 0);
		assert_false(sizes_are_timed(&sizes));
		sizes_ran(&sizes, 10 * US, true);
	}
	assert_int_equal(sizes_times(&sizes).own_ns, 10 * US);
	assert_true(sizes_are_timed(&sizes));
	assert_int_equal(meet(&sizes, 11 * US), SIZE_UNWANTED);
}

/* Nor do its first launches. */
static void the_last_launches_tell_the_programs_time(void **state)
{
	struct replay_sizes sizes = {.count = 0};

	(void)state;
	sizes_begin(&sizes, 11 * US, 1000);
	sizes_repeated(&sizes, 1500, 10 * US);
	for (int i = 0; i < 32; i++)
		sizes_ran(&sizes, 11 * US, true);
	assert_int_equal(sizes_times(&sizes).own_ns, 11 * US);
	for (int i = 0; i < 320; i++)
		sizes_ran(&sizes, 10 * US, true);
	assert_float_equal(sizes_times(&sizes).own_ns, 10 * US, 10);
}

/* Whether the launches of the same class are replayed with a cold cache, where the first
 * repetitions with one take cold_us. */
static bool is_replayed_cold(uint64_t repeated_us, uint64_t cold_us, bool own)
{
	struct replay_sizes sizes = {.count = 0};
	struct replay_times times;

	sizes_begin(&sizes, 11 * US, 1000);
	sizes_end(&sizes, 2000);
	sizes_begin_cold(&sizes, 3000);
	sizes_repeated(&sizes, 1500, repeated_us * US);
	for (int i = 0; i < 20 && own; i++)
		sizes_ran(&sizes, 10 * US, true);
	sizes_repeated(&sizes, 2500, 100 * US);
	for (int i = 0; i < 32; i++) {
		assert_int_equal(sizes_times(&sizes).cold_ns, 0);
		sizes_repeated(&sizes, 3000, cold_us * US);
	}
	times = sizes_times(&sizes);
	assert_int_equal(times.cold_ns, cold_us * US);
	sizes_settle(&sizes);
	sizes_repeated(&sizes, 3500, 100 * US);
	assert_int_equal(sizes_times(&sizes).cold_ns, cold_us * US);
	return sizes_are_slower_cold(&times);
}

static void a_cold_cache_is_taken_where_it_makes_a_kernel_slower(void **state)
{
	(void)state;
	assert_true(is_replayed_cold(6, 9, true));
	assert_true(is_replayed_cold(6, 16, true));
	assert_true(is_replayed_cold(6, 17, true));
	assert_false(is_replayed_cold(6, 5, true));
	assert_true(is_replayed_cold(6, 9, false));
	assert_false(is_replayed_cold(6, 7, false));
}

/* In the mean they are to take the 10 us of the program's launches. */
static void as_many_are_cold_as_make_repetitions_take_the_programs_time(void **state)
{
	(void)state;
	assert_float_equal(
		sizes_cold_share(&(struct replay_times){6000, 18000, 10000}), 1. / 3, 1e-9);
	assert_float_equal(sizes_cold_share(&(struct replay_times){9000, 11000, 10000}), 0.5, 1e-9);
	assert_float_equal(sizes_cold_share(&(struct replay_times){6000, 10100, 10000}), 1, 1e-9);
	assert_float_equal(sizes_cold_share(&(struct replay_times){6000, 9000, 10000}), 1, 1e-9);
	assert_float_equal(sizes_cold_share(&(struct replay_times){6000, 18000, 0}), 1, 1e-9);
	assert_float_equal(sizes_cold_share(&(struct replay_times){6000, 0, 10000}), 1, 1e-9);
}

/* Their number is limited, and so are the replays. */
static void all_sizes_of_a_class_that_has_many_are_few(void **state)
{
	struct replay_sizes sizes = {.count = 0};
	unsigned replays = 0;

	(void)state;
	for (uint64_t us = 10; us < 200; us++)
		for (int i = 0; i < 8; i++)
			sizes_ran(&sizes, us * US, true);
	for (; !replays || sizes_wanted(&sizes); replays++)
		sizes_begin(&sizes, (10 + 60 * replays) * US, replays);
	assert_in_range(replays, 2, SIZES_REPLAYS_MAX);
	assert_in_range(sizes_longest_ns(&sizes), 20 * US, 200 * US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_size_is_replayed_once),
		cmocka_unit_test(few_launches_are_tried_in_vain),
		cmocka_unit_test(what_is_rare_is_not_replayed),
		cmocka_unit_test(few_launches_and_short_ones_tell_no_sizes),
		cmocka_unit_test(sizes_of_short_kernels_are_told_by_the_device),
		cmocka_unit_test(without_the_devices_times_the_host_decides),
		cmocka_unit_test(a_size_that_is_not_met_is_given_up),
		cmocka_unit_test(what_is_faster_when_repeated_is_wanted_with_a_cold_cache),
		cmocka_unit_test(few_repetitions_do_not_tell_that_launches_take_longer),
		cmocka_unit_test(short_launches_that_hardly_take_longer_want_no_cold_cache),
		cmocka_unit_test(disturbed_launches_do_not_tell_the_programs_time),
		cmocka_unit_test(the_last_launches_tell_the_programs_time),
		cmocka_unit_test(a_cold_cache_is_taken_where_it_makes_a_kernel_slower),
		cmocka_unit_test(as_many_are_cold_as_make_repetitions_take_the_programs_time),
		cmocka_unit_test(all_sizes_of_a_class_that_has_many_are_few)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
