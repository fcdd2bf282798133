/* SPDX-License-Identifier: MIT */
#include "analyzer/model/id_map.h"
#include "tests/unit/unit.h"

#define COUNT 20000u

/* Ids that come in steps of a power of two, as a careless hash would have them collide. */
static struct id_key key_of(uint32_t i)
{
	return (struct id_key){.id = (uint64_t)(i / 4) << 32, .process = i % 2, .gpu = i / 2 % 2};
}

static void each_key_keeps_its_number(void **state)
{
	struct id_map *map = id_map_new();

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct id_key key = key_of(i);
		uint32_t *number = id_map_at(map, &key);

		assert_int_equal(*number, 0);
		*number = i + 1;
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct id_key key = key_of(i);

		assert_int_equal(*id_map_at(map, &key), i + 1);
	}
	id_map_free(map);
}

static void what_is_taken_is_gone(void **state)
{
	struct id_map *map = id_map_new();

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct id_key key = key_of(i), earlier = key_of(i / 2);

		*id_map_at(map, &key) = i + 1;
		if (i % 2)
			assert_int_equal(id_map_take(map, &earlier), i / 2 + 1);
		else
			assert_int_equal(*id_map_at(map, &earlier), i / 2 + 1);
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct id_key key = key_of(i);

		assert_int_equal(id_map_take(map, &key), i < COUNT / 2 ? 0 : i + 1);
	}
	id_map_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_keeps_its_number),
		cmocka_unit_test(what_is_taken_is_gone),
	};

	return cmocka_run_group_tests_name("id_map", tests, NULL, NULL);
}
