/* SPDX-License-Identifier: MIT */
#include "analyzer/model/table.h"
#include "tests/unit/unit.h"

static void elements_stay_and_begin_as_zeroes(void **state)
{
	struct table *table = table_new(sizeof(uint64_t));

	(void)state;
	assert_null(table_find(table, 0));
	assert_null(table_find(table, UINT32_MAX));
	for (uint32_t id = 1; id < 10 * TABLE_PAGE; id += 7) {
		uint64_t *element = table_slot(table, id);

		assert_int_equal(*element, 0);
		*element = id;
	}
	for (uint32_t id = 1; id < 10 * TABLE_PAGE; id += 7) {
		assert_int_equal(*(uint64_t *)table_find(table, id), id);
		assert_int_equal(*(uint64_t *)table_find(table, id + 1), 0);
	}
	assert_true(table_end(table) >= 10 * TABLE_PAGE - 7);
	table_free(table);
}

static void wild_ids_cost_a_page_or_nothing(void **state)
{
	struct table *table = table_new(1);

	(void)state;
	assert_null(table_slot(table, TABLE_LIMIT));
	assert_null(table_slot(table, UINT32_MAX));
	assert_int_equal(table_end(table), 0);
	assert_non_null(table_slot(table, TABLE_LIMIT - 1));
	assert_int_equal(table_end(table), TABLE_LIMIT);
	assert_null(table_find(table, 1));
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_stay_and_begin_as_zeroes),
		cmocka_unit_test(wild_ids_cost_a_page_or_nothing),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
