/* SPDX-License-Identifier: MIT */
/*
 * What the programs that test replay share.  Their kernels change memory in place:
 *
 *	PROGRAM [CASE] [LAUNCHES]
 *
 * A program launches its kernels LAUNCHES times (10) and prints what memory holds afterwards. CASE,
 * a row of its table, is what it does besides, or what it launches instead.  The includer defines
 * the types ADDRESS and STREAM before this header, and the functions that are declared below.
 */
#ifndef REPLAYS_H
#define REPLAYS_H

#include "common.h"

#define VALUES 1024
#define TWICE "_Z5twicePfm"
#define COUNTED "_Z7countedPm"
#define GROW "_Z4growPm"
#define SHARED "_Z6sharedPm"
#define HIDDEN "_Z6hiddenPm"
#define ADDRESSED "_Z9addressedm"
#define SIZED "_Z5sizedm"
#define CACHED "_Z6cachedm"

struct test {
	const char *name;
	void (*run)(void); /* NULL: nothing else */
	bool alone;        /* in place of the kernels */
};

static ADDRESS allocate(size_t bytes);
static void write_to(ADDRESS memory, const void *from, size_t bytes);
static void read_from(ADDRESS memory, void *to, size_t bytes); /* when all is done */
static void launch_with(STREAM stream, const char *name, void **arguments);

static ADDRESS values, words;
static unsigned long launches = 10;

static void twice(STREAM stream)
{
	size_t elements = VALUES;

	launch_with(stream, TWICE, (void *[]){&values, &elements});
}

static void counted(STREAM stream)
{
	launch_with(stream, COUNTED, (void *[]){&words});
}

static void grow(STREAM stream)
{
	launch_with(stream, GROW, (void *[]){&words});
}

/* A kernel shares out its work by a counter, which the program sets before another kernel, as CUB's
 * radix sort does. */
static void shared_out(void)
{
	const uint64_t none = 0;

	for (unsigned long i = 0; i < launches; i++) {
		write_to(words, &none, sizeof(none));
		twice(NULL);
		launch_with(NULL, SHARED, (void *[]){&words});
	}
}

/* Enough to tell how fast it is copied, in more than one piece; all kernels reach it. */
static void large_memory(void)
{
	static const float first[VALUES] = {1, 2, 3, 4};

	values = allocate((size_t)160 << 20);
	words = (ADDRESS)((uintptr_t)values + sizeof(first));
	write_to(values, first, sizeof(first));
}

static const struct test *test_of(const struct test *tests, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(tests[i].name, name) == 0)
			return &tests[i];
	fail("%s: no such case", name);
}

static void print_memory(void)
{
	float got[VALUES];
	uint64_t runs;

	read_from(values, got, sizeof(got));
	read_from(words, &runs, sizeof(runs));
	for (int i = 0; i < 4; i++)
		printf("value %d: %a\n", i, got[i]);
	printf("runs: %llu\n", (unsigned long long)runs);
}

static int run_test(const struct test *tests, size_t count, int argc, char **argv)
{
	const struct test *test = test_of(tests, count, argc > 1 ? argv[1] : "plain");
	float first[VALUES];

	if (argc > 2)
		launches = number(argv[2]);
	values = allocate(VALUES * sizeof(float));
	words = allocate(BYTES);
	for (int i = 0; i < VALUES; i++)
		first[i] = (float)(i + 1);
	write_to(values, first, sizeof(first));
	if (test->run)
		test->run();
	for (unsigned long i = 0; i < launches && !test->alone; i++) {
		errno = 77;
		twice(NULL);
		counted(NULL);
		if (errno != 77)
			fail("errno is %d", errno);
	}
	print_memory();
	print_started();
	return 0;
}

#endif
