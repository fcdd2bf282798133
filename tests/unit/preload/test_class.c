/* SPDX-License-Identifier: MIT */
/* Which classes of launches wait until the device has told how long their launches take. */
#include "preload/engine/replay/class.h"

#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define MS PWRTRACE_NS_PER_MS
#define US (MS / 1000)

static void times_are_awaited_for_a_while(void **state)
{
	const struct replay_class class = {.usual_ns = 20 * US, .times_by_ns = 300 * MS};

	(void)state;
	assert_true(class_awaits_times(&class, 0));
	assert_true(class_awaits_times(&class, 299 * MS));
	assert_false(class_awaits_times(&class, 300 * MS));
}

static void times_that_are_known_are_not_awaited(void **state)
{
	struct replay_class class = {.usual_ns = 20 * US, .times_by_ns = 300 * MS};

	(void)state;
	for (int i = 0; i < 8; i++) {
		assert_true(class_awaits_times(&class, 100 * MS));
		sizes_ran(&class.sizes, 10 * US, true);
	}
	assert_false(class_awaits_times(&class, 100 * MS));
}

static void long_launches_do_not_depend_on_the_cache(void **state)
{
	const struct replay_class class = {.usual_ns = MS, .times_by_ns = 300 * MS};

	(void)state;
	assert_false(class_awaits_times(&class, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_awaited_for_a_while),
		cmocka_unit_test(times_that_are_known_are_not_awaited),
		cmocka_unit_test(long_launches_do_not_depend_on_the_cache),
	};

	return cmocka_run_group_tests_name("class", tests, NULL, NULL);
}
