/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "preload/engine/core/handles.h"
#include "tests/unit/unit.h"

#define THREADS 4
#define HANDLES 5000

static void *handle(uintptr_t number)
{
	return (void *)(number * 64 + 0x10000);
}

static void unknown_handles_are_zero(void **state)
{
	static struct handles map;

	(void)state;
	assert_int_equal(handles_get(&map, handle(1)), 0);
	handles_set(&map, handle(1), 7);
	assert_int_equal(handles_get(&map, handle(1)), 7);
	assert_int_equal(handles_get(&map, handle(2)), 0);
}

static void a_reused_handle_is_new(void **state)
{
	static struct handles map;

	(void)state;
	handles_set(&map, handle(1), 1);
	handles_set(&map, handle(1), 2);
	assert_int_equal(handles_get(&map, handle(1)), 2);
}

static struct handles shared;

static void *set_and_get(void *first)
{
	for (uintptr_t i = (uintptr_t)first; i < THREADS * HANDLES; i += THREADS) {
		handles_set(&shared, handle(i), (uint32_t)i + 1);
		if (handles_get(&shared, handle(i)) != i + 1)
			return first;
	}
	return handle(0);
}

static void threads_find_their_own(void **state)
{
	pthread_t threads[THREADS];
	void *result;

	(void)state;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, set_and_get, (void *)i), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		assert_ptr_equal(result, handle(0));
	}
	for (uintptr_t i = 0; i < THREADS * HANDLES; i++)
		assert_int_equal(handles_get(&shared, handle(i)), i + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_handles_are_zero),
		cmocka_unit_test(a_reused_handle_is_new),
		cmocka_unit_test(threads_find_their_own),
	};

	return cmocka_run_group_tests_name("handles", tests, NULL, NULL);
}
