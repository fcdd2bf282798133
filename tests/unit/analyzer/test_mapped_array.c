/* SPDX-License-Identifier: MIT */
/* Arrays that may lie in a file: growth, any order of access, several threads, sorting, no room. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analyzer/store/mapped_array.h"
#include "tests/unit/unit.h"

#define MANY 6000000 /* of 56 bytes: more than lies in memory */
#define FEW 20000    /* visits of distant elements, each of which may cost a page fault */
#define THREADS 4

struct element {
	uint64_t key, number, others[5];
};

/* Any permutation would do that visits distant elements one after the other. */
static guint somewhere(guint i)
{
	return (guint)((uint64_t)i * 2654435761u % MANY);
}

static struct mapped_array *array_of_kind(
	struct mapped_array *array, guint count, uint64_t (*key_of)(guint i))
{
	for (guint i = 0; i < count; i++)
		assert_true(mapped_array_append(array, &(struct element){key_of(i), i, {0}}));
	assert_int_equal(array->len, count);
	return array;
}

static struct mapped_array *array_of(guint count, uint64_t (*key_of)(guint i))
{
	return array_of_kind(mapped_array_new(sizeof(struct element)), count, key_of);
}

static uint64_t own_number(guint i)
{
	return i;
}

/* Bytes of an array in memory that this process has mapped. */
static gsize resident_of(const struct mapped_array *array)
{
	char *map = NULL, *line, *lines, first[32];
	gsize resident = 0;

	snprintf(first, sizeof(first), "%lx-", (unsigned long)array->elements);
	assert_true(g_file_get_contents("/proc/self/smaps", &map, NULL, NULL));
	for (lines = map; (line = strsep(&lines, "\n"));)
		if (g_str_has_prefix(line, first))
			break;
	while ((line = strsep(&lines, "\n")))
		if (sscanf(line, "Rss: %zu kB", &resident) == 1)
			break;
	g_free(map);
	return resident * 1024;
}

static void keeps_all(void **state)
{
	struct mapped_array *array = array_of(MANY, own_number);

	(void)state;
	for (guint i = 0; i < MANY; i++)
		assert_int_equal(((struct element *)mapped_array_at(array, i))->number, i);
	for (guint i = 0; i < FEW; i++) {
		struct element *element = mapped_array_at(array, somewhere(i));

		assert_int_equal(element->number, somewhere(i));
		element->key = ~element->number;
	}
	for (guint i = 0; i < FEW; i++)
		assert_int_equal(((struct element *)mapped_array_at(array, somewhere(i)))->key,
			~(uint64_t)somewhere(i));
	mapped_array_free(array);
}

/* Elements are read and changed while others are appended, also where their chunk has made way in
 * between. */
static void keeps_changes_between_appends(void **state)
{
	struct mapped_array *array = array_of(MANY, own_number);
	struct element added = {.key = 0};
	guint changed = MANY;

	(void)state;
	for (guint i = 0; i < FEW; i++) {
		for (int k = 0; k < 10; k++)
			assert_true(mapped_array_append(array, &added));
		if (i % 7)
			mapped_array_at(array, somewhere(i));
		else
			for (; changed < array->len; changed++)
				((struct element *)mapped_array_at(array, changed))->key++;
	}
	for (guint i = MANY; i < array->len; i++)
		assert_int_equal(((struct element *)mapped_array_at(array, i))->key, i < changed);
	mapped_array_free(array);
}

static void little_is_resident(void **state)
{
	struct mapped_array *array = array_of(MANY, own_number);

	(void)state;
	for (guint i = 0; i < FEW; i++)
		assert_int_equal(((struct element *)mapped_array_at(array, somewhere(i)))->number,
			somewhere(i));
	assert_true(resident_of(array) > 0);
	assert_true(resident_of(array) <= MAPPED_ARRAY_HOT * (gsize)MAPPED_ARRAY_CHUNK);
	mapped_array_free(array);
}

static void is_zero_at_first(void **state)
{
	struct mapped_array *array = mapped_array_new(sizeof(struct element));

	(void)state;
	assert_true(mapped_array_lengthen(array, MANY));
	assert_int_equal(((struct element *)mapped_array_at(array, MANY - 1))->key, 0);
	assert_true(mapped_array_lengthen(array, 3));
	assert_int_equal(array->len, MANY);
	mapped_array_free(array);
	mapped_array_free(NULL);
}

static void *read_all(void *data)
{
	struct mapped_array *array = data;
	gsize wrong = 0;

	for (guint i = 0; i < FEW; i++)
		wrong += ((struct element *)mapped_array_at(array, somewhere(i)))->number !=
			 somewhere(i);
	return GSIZE_TO_POINTER(wrong);
}

static void threads_read_at_once(void **state)
{
	struct mapped_array *array = array_of(MANY, own_number);
	pthread_t threads[THREADS];
	void *wrong;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_all, array), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
	mapped_array_free(array);
}

/* ---- sorting ---- */

static int by_key(gconstpointer a, gconstpointer b)
{
	const struct element *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Nearly in order, with equal ones. */
static uint64_t nearly(guint i)
{
	return i / 3 + (i * 2654435761u >> 20);
}

/* Two traces, one after the other, of the same time. */
static uint64_t two_traces(guint i)
{
	return i % (MANY / 2);
}

static uint64_t backward(guint i)
{
	return MANY - i;
}

static void sorts(void **state)
{
	uint64_t (*const orders[])(guint i) = {own_number, nearly, two_traces, backward};
	static const guint counts[] = {0, 1, 2, 1000, MANY};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(orders) * G_N_ELEMENTS(counts); i++) {
		struct mapped_array *array = array_of(
			counts[i / G_N_ELEMENTS(orders)], orders[i % G_N_ELEMENTS(orders)]);
		struct element last = {0};

		mapped_array_sort(array, by_key);
		for (guint k = 0; k < array->len; k++) {
			struct element element = *(struct element *)mapped_array_at(array, k);

			assert_int_equal(element.key,
				orders[i % G_N_ELEMENTS(orders)]((guint)element.number));
			assert_true(!k || element.key > last.key ||
				    (element.key == last.key && element.number > last.number));
			last = element;
		}
		mapped_array_free(array);
	}
}

/* ---- no room ---- */

static void fails_where_the_file_is_full(void **state)
{
	const struct rlimit few = {20 << 20, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
	struct mapped_array *array = mapped_array_new(sizeof(struct element));
	struct element element = {0};

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	while (mapped_array_append(array, &element))
		element.number++;
	assert_int_equal(errno, EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	assert_int_equal(array->len, element.number);
	assert_true(array->len > 1000);
	for (guint i = 0; i < array->len; i++)
		assert_int_equal(((struct element *)mapped_array_at(array, i))->number, i);
	assert_true(mapped_array_append(array, &element));
	mapped_array_free(array);
}

/* But not one that may lie in memory. */
static void fails_without_a_directory(void **state)
{
	struct mapped_array *array = mapped_array_new(sizeof(struct element)), *certain;

	(void)state;
	setenv("TMPDIR", "/nonexistent", 1);
	assert_string_equal(mapped_array_directory(), "/nonexistent");
	assert_true(mapped_array_lengthen(array, 1000));
	assert_false(mapped_array_lengthen(array, MANY));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(array->len, 1000);
	certain = array_of_kind(mapped_array_new_unfailing(sizeof(struct element)), MANY, backward);
	for (guint i = 0; i < MANY; i++)
		assert_int_equal(((struct element *)mapped_array_at(certain, i))->key, backward(i));
	mapped_array_free(certain);
	unsetenv("TMPDIR");
	assert_false(mapped_array_lengthen(array, UINT32_MAX));
	assert_int_equal(errno, EOVERFLOW);
	mapped_array_free(array);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_all),
		cmocka_unit_test(keeps_changes_between_appends),
		cmocka_unit_test(little_is_resident),
		cmocka_unit_test(is_zero_at_first),
		cmocka_unit_test(threads_read_at_once),
		cmocka_unit_test(sorts),
		cmocka_unit_test(fails_where_the_file_is_full),
		cmocka_unit_test(fails_without_a_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
