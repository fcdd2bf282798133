/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "preload/engine/replay/memory.h"
#include "tests/unit/unit.h"

static char place, other;

static void add(struct memory *memory, uintptr_t begin, uintptr_t end, enum memory_kind kind)
{
	assert_true(memory_add(memory, &(struct memory_range){.begin = begin,
					       .end = end,
					       .bytes = end - begin,
					       .place = &place,
					       .kind = kind}));
}

static void addresses_are_found_in_their_ranges(void **state)
{
	struct memory memory = {0};

	(void)state;
	assert_null(memory_find(&memory, 1000));
	add(&memory, 3000, 4000, MEMORY_DEVICE);
	add(&memory, 1000, 2000, MEMORY_DEVICE);
	assert_null(memory_find(&memory, 999));
	assert_int_equal(memory_find(&memory, 1000)->begin, 1000);
	assert_int_equal(memory_find(&memory, 1999)->begin, 1000);
	assert_null(memory_find(&memory, 2000));
	assert_int_equal(memory_find(&memory, 3500)->begin, 3000);
	assert_null(memory_find(&memory, 4000));
	free(memory.ranges);
}

static void what_is_freed_is_gone_alone(void **state)
{
	struct memory memory = {0};

	(void)state;
	for (uintptr_t i = 1; i <= 500; i++)
		add(&memory, (i * 7919 % 503 + 1) * 1000, (i * 7919 % 503 + 1) * 1000 + 100,
			MEMORY_DEVICE);
	assert_int_equal(memory.count, 500);
	memory_remove(&memory, 5050, 5051);
	assert_int_equal(memory.count, 500);
	memory_remove(&memory, memory.ranges[7].begin, memory.ranges[7].begin + 1);
	assert_int_equal(memory.count, 499);
	memory_remove(&memory, 100000, 200000);
	for (size_t i = 0; i < memory.count; i++) {
		assert_true(memory.ranges[i].begin < 100000 || memory.ranges[i].begin >= 200000);
		assert_true(!i || memory.ranges[i - 1].end <= memory.ranges[i].begin);
	}
	memory_remove(&memory, 0, UINTPTR_MAX);
	assert_int_equal(memory.count, 0);
	free(memory.ranges);
}

static void what_is_owned_goes_with_its_owner(void **state)
{
	struct memory memory = {0};

	(void)state;
	for (uintptr_t i = 1; i <= 10; i++)
		assert_true(memory_add(&memory, &(struct memory_range){.begin = i * 1000,
							.end = i * 1000 + 100,
							.bytes = 100,
							.owner = i % 3   ? &place
								 : i % 2 ? &other
									 : NULL}));
	memory_remove_owned(&memory, &place);
	assert_int_equal(memory.count, 3);
	assert_non_null(memory_find(&memory, 3000));
	memory_remove_owned(&memory, &other);
	assert_int_equal(memory.count, 1);
	assert_non_null(memory_find(&memory, 6000));
	free(memory.ranges);
}

/* A block that was freed by a call we do not see, and whose address is allocated again. */
static void a_new_range_replaces_what_it_overlaps(void **state)
{
	struct memory memory = {0};

	(void)state;
	add(&memory, 1000, 2000, MEMORY_DEVICE);
	add(&memory, 2000, 3000, MEMORY_DEVICE);
	add(&memory, 5000, 6000, MEMORY_DEVICE);
	add(&memory, 1500, 2500, MEMORY_HOST);
	assert_int_equal(memory.count, 2);
	assert_int_equal(memory_find(&memory, 1500)->kind, MEMORY_HOST);
	assert_null(memory_find(&memory, 1000));
	add(&memory, 4000, 4000, MEMORY_HOST);
	assert_int_equal(memory.count, 2);
	free(memory.ranges);
}

static void bytes_are_counted_by_kind_and_place(void **state)
{
	struct memory memory = {0};

	(void)state;
	add(&memory, 1000, 2000, MEMORY_DEVICE);
	add(&memory, 3000, 3500, MEMORY_MANAGED);
	assert_true(memory_add(&memory, &(struct memory_range){.begin = 8000,
						.end = 8001,
						.bytes = 10,
						.place = &other,
						.kind = MEMORY_DEVICE}));
	assert_int_equal(memory_bytes(&memory, MEMORY_DEVICE, &place), 1000);
	assert_int_equal(memory_bytes(&memory, MEMORY_DEVICE, &other), 10);
	assert_int_equal(memory_bytes(&memory, MEMORY_DEVICE, NULL), 1010);
	assert_int_equal(memory_bytes(&memory, MEMORY_MANAGED, NULL), 500);
	assert_int_equal(memory_bytes(&memory, MEMORY_HOST, NULL), 0);
	free(memory.ranges);
}

static void words_that_may_be_addresses_are_seen(void **state)
{
	struct memory memory = {0};
	uintptr_t words[64] = {0};

	(void)state;
	add(&memory, 0x10000, 0x11000, MEMORY_HOST);
	add(&memory, 0x12000, 0x13000, MEMORY_DEVICE);
	add(&memory, 0x14000, 0x15000, MEMORY_HOST);
	words[63] = 0x12800;
	assert_false(memory_points_into(&memory, MEMORY_HOST, words, sizeof(words)));
	words[62] = 0x11000;
	assert_false(memory_points_into(&memory, MEMORY_HOST, words, sizeof(words)));
	words[61] = 0x14fff;
	assert_true(memory_points_into(&memory, MEMORY_HOST, words, sizeof(words)));
	assert_false(memory_points_into(&memory, MEMORY_HOST, words, 61 * sizeof(*words)));
	free(memory.ranges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_found_in_their_ranges),
		cmocka_unit_test(what_is_freed_is_gone_alone),
		cmocka_unit_test(what_is_owned_goes_with_its_owner),
		cmocka_unit_test(a_new_range_replaces_what_it_overlaps),
		cmocka_unit_test(bytes_are_counted_by_kind_and_place),
		cmocka_unit_test(words_that_may_be_addresses_are_seen),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
