/* SPDX-License-Identifier: MIT */
/* Where nodes of CUDA's graphs were captured, in programs that capture graphs for days. */
#include <stdio.h>
#include <unistd.h>

#include "preload/engine/gpu/cuda/cupti.h"
#include "tests/unit/unit.h"

#define NODES_OF_HOURS (4 << 20)
#define MIB (1 << 20)

enum { USED = 1, UNUSED, CLONE, OTHERS };

static void make(uint64_t node, uint64_t original, uint32_t layer, uint32_t correlation)
{
	cupti_nodes_take(&(struct gpu_work){.kind = GPU_WORK_NODE,
		.correlation = correlation,
		.place.layer = layer,
		.node = {node, original}});
}

static uint32_t layer_of(uint64_t node, uint32_t correlation)
{
	return cupti_nodes_place(node, correlation).layer;
}

static void a_launch_has_the_place_of_its_time(void **state)
{
	(void)state;
	make(OTHERS, 0, 5, 10);
	make(OTHERS + 1, 0, 6, 11);
	make(OTHERS, OTHERS + 1, 0, 20); /* an update */
	assert_int_equal(layer_of(OTHERS, 15), 5);
	assert_int_equal(layer_of(OTHERS, 25), 6);
	assert_int_equal(layer_of(OTHERS + 1, 25), 6);
	assert_int_equal(layer_of(OTHERS + 2, 25), 0);
}

static long resident_mib(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*d %ld", &pages), 1);
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE) / MIB;
}

/* Captures graphs for as long, and launches one node at times. */
static void capture_for_hours(uint64_t *next)
{
	for (int i = 0; i < NODES_OF_HOURS; i++) {
		make(++*next, 0, 7, 30);
		if (i % (NODES_OF_HOURS / 64) == 0)
			assert_int_equal(layer_of(USED, 40), 8);
	}
}

static void what_is_not_used_is_forgotten(void **state)
{
	uint64_t next = 100;
	long after_mib;

	(void)state;
	make(USED, 0, 8, 1);
	make(UNUSED, 0, 9, 2);
	assert_int_equal(layer_of(UNUSED, 40), 9);
	capture_for_hours(&next);
	after_mib = resident_mib();
	assert_int_equal(layer_of(UNUSED, 40), 0);
	assert_int_equal(layer_of(next, 40), 7);
	make(CLONE, USED, 0, 50);
	assert_int_equal(layer_of(CLONE, 60), 8);
	capture_for_hours(&next);
	assert_true(resident_mib() < after_mib + 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launch_has_the_place_of_its_time),
		cmocka_unit_test(what_is_not_used_is_forgotten),
	};

	return cmocka_run_group_tests_name("cupti_nodes", tests, NULL, NULL);
}
