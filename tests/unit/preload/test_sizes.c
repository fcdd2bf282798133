/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/sizes.h"

#include <string.h>

#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define US PWRTRACE_NS_PER_S / 1000000

/* What the engine does with launches of a class whose times repeat, a letter each: 'a' 15 us, 'b'
 * 43 us, 'c' 90 us.  Sets replayed to the letters in the order of their replays; returns how many
 * launches were timed or tried. */
static unsigned run(const char *loop, unsigned launches, char *replayed)
{
	static const uint64_t us[] = {15, 43, 90};
	struct replay_sizes sizes = {0};
	unsigned delayed = 0;

	*replayed = '\0';
	for (unsigned launch = 3; launch < launches; launch++) {
		char letter = loop[launch % strlen(loop)];
		/* The host measures a little more, and not always the same. */
		uint64_t time_ns = us[letter - 'a'] * US + (launch * 7919 % 4000);
		bool wanted = sizes.wanted_ns && launch >= sizes.next_look;

		if (!sizes.count || (wanted && sizes_alike(time_ns, sizes.wanted_ns))) {
			strncat(replayed, &letter, 1);
			sizes_add(&sizes, time_ns, launch);
		} else if (wanted) {
			sizes_missed(&sizes, launch);
			delayed++;
		} else if (!sizes.wanted_ns && sizes_look(&sizes, launch)) {
			sizes_seen(&sizes, time_ns, launch);
			delayed++;
		}
	}
	return delayed;
}

static void each_size_is_replayed_once(void **state)
{
	char replayed[32];

	(void)state;
	run("a", 10000, replayed);
	assert_string_equal(replayed, "a");
	run("ab", 10000, replayed);
	assert_string_equal(replayed, "ba");
	run("aab", 10000, replayed);
	assert_string_equal(replayed, "ab");
	run("aaabbaaaaaab", 10000, replayed);
	assert_int_equal(strlen(replayed), 2);
	run("abcabc", 10000, replayed);
	assert_int_equal(strlen(replayed), 3);
}

static void few_launches_are_delayed(void **state)
{
	char replayed[32];

	(void)state;
	assert_in_range(run("a", 1000000, replayed), 1, 24);
	assert_in_range(run("abc", 1000000, replayed), 1, 24 + 3 * 8);
}

/* A host that was busy once makes no size. */
static void a_time_that_is_seen_once_is_none(void **state)
{
	struct replay_sizes sizes = {0};

	(void)state;
	sizes_add(&sizes, 15 * US, 3);
	sizes_seen(&sizes, 500 * US, 10);
	sizes_seen(&sizes, 15 * US, 20);
	sizes_seen(&sizes, 40 * US, 30);
	assert_int_equal(sizes.wanted_ns, 0);
	sizes_seen(&sizes, 42 * US, 40);
	assert_int_equal(sizes.wanted_ns, 42 * US);
}

static void a_size_that_is_not_met_is_given_up(void **state)
{
	struct replay_sizes sizes = {.wanted_ns = 43 * US};
	unsigned tries = 1;

	(void)state;
	while (sizes_missed(&sizes, tries))
		tries++;
	assert_int_equal(tries, 8);
	assert_int_equal(sizes.wanted_ns, 0);
	sizes_seen(&sizes, 43 * US, 100);
	sizes_seen(&sizes, 43 * US, 120);
	assert_int_equal(sizes.wanted_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_size_is_replayed_once),
		cmocka_unit_test(few_launches_are_delayed),
		cmocka_unit_test(a_time_that_is_seen_once_is_none),
		cmocka_unit_test(a_size_that_is_not_met_is_given_up)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
