/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/search.h"

#include "tests/unit/unit.h"

#define TRIES_MAX 16

/* Searches for the least number that suffices; the numbers that were tried are in tried. */
static unsigned search_for(unsigned truth, unsigned tried[TRIES_MAX])
{
	struct executions_search search = executions_search_begin();
	unsigned count = 0;

	do {
		assert_in_range(count, 0, TRIES_MAX - 1);
		tried[count++] = search.next;
	} while (executions_search_tell(&search, search.next >= truth));
	tried[count] = 0;
	return search.enough;
}

static void doubles_then_bisects(void **state)
{
	static const unsigned expected[] = {4, 8, 16, 12, 10, 11, 0};
	unsigned tried[TRIES_MAX];

	(void)state;
	assert_int_equal(search_for(11, tried), 11);
	for (unsigned i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(tried[i], expected[i]);
}

static void finds_any_number(void **state)
{
	unsigned tried[TRIES_MAX];

	(void)state;
	assert_int_equal(search_for(1, tried), 4);
	assert_int_equal(tried[1], 0);
	for (unsigned truth = 4; truth < 200; truth++)
		assert_int_equal(search_for(truth, tried), truth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubles_then_bisects),
		cmocka_unit_test(finds_any_number),
	};

	return cmocka_run_group_tests_name("search_executions", tests, NULL, NULL);
}
