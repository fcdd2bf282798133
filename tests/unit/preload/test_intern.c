/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/intern.h"
#include "tests/unit/unit.h"

#define THREADS 8
#define KEYS 20000

static void ids_count_from_one(void **state)
{
	static struct intern set;

	(void)state;
	assert_int_equal(intern_count(&set), 0);
	assert_int_equal(intern(&set, "a", 1), 1);
	assert_int_equal(intern(&set, "b", 1), 2);
	assert_int_equal(intern(&set, "a", 1), 1);
	assert_int_equal(intern_count(&set), 2);
}

static void keys_are_bytes(void **state)
{
	static struct intern set;
	const char with_zero[] = {'a', 0, 'b'};
	uint32_t id = intern(&set, with_zero, sizeof(with_zero));

	(void)state;
	assert_int_not_equal(id, intern(&set, "a", 1));
	assert_int_not_equal(intern(&set, "", 0), 0);
	assert_int_equal(intern_get(&set, id)->length, sizeof(with_zero));
	assert_memory_equal(intern_get(&set, id)->bytes, with_zero, sizeof(with_zero));
	assert_int_equal(intern_get(&set, id)->bytes[sizeof(with_zero)], 0);
}

static struct intern shared;

static void *intern_all(void *ids)
{
	for (uint32_t i = 0; i < KEYS; i++)
		((uint32_t *)ids)[i] = intern(&shared, &i, sizeof(i));
	return NULL;
}

/* All threads add the same keys at once, through every growth of the table. */
static void threads_agree(void **state)
{
	static uint32_t ids[THREADS][KEYS];
	pthread_t threads[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, intern_all, ids[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(intern_count(&shared), KEYS);
	for (int i = 1; i < THREADS; i++)
		assert_memory_equal(ids[i], ids[0], sizeof(ids[0]));
	for (uint32_t i = 0; i < KEYS; i++)
		assert_memory_equal(intern_get(&shared, ids[0][i])->bytes, &i, sizeof(i));
}

static bool enough;

static void *grow_all_along(void *unused)
{
	static struct intern growing;

	for (uint64_t i = 0; !__atomic_load_n(&enough, __ATOMIC_RELAXED); i++)
		intern(&growing, &i, sizeof(i));
	return unused;
}

/* A thread that adds a key while another one forks does not exist in the child. */
static void a_forked_child_adds(void **state)
{
	static struct intern set;
	enum { FORKS = 200, PATIENCE_S = 60 };
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, grow_all_along, NULL), 0);
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();
		int status;

		if (!child) {
			alarm(PATIENCE_S);
			_exit(intern(&set, "a", 1) != 1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_count_from_one),
		cmocka_unit_test(keys_are_bytes),
		cmocka_unit_test(threads_agree),
		cmocka_unit_test(a_forked_child_adds),
	};

	return cmocka_run_group_tests_name("intern", tests, NULL, NULL);
}
