/* SPDX-License-Identifier: MIT */
/* In which layer nodes of autograd's graphs were made, against a list of all of them. */
#include <pthread.h>
#include <stdlib.h>

#include "preload/shim/layer/torch_nodes.h"
#include "tests/unit/unit.h"

#define ACCUMULATES UINT64_MAX

static __thread uint64_t made;
static __thread uint64_t thread_number = 1;

static uint64_t next_node(void)
{
	return made;
}

static uint64_t this_thread(void)
{
	return thread_number;
}

/* The layer of a node, by its numbers alone. */
static uint32_t layer_of(uint64_t thread, uint64_t sequence)
{
	uint64_t node[8] = {[3] = sequence, [6] = thread};
	uint32_t layer = 99;

	assert_true(torch_nodes_layer(node, &layer));
	return layer;
}

static void in_layer(uint32_t layer, unsigned nodes)
{
	torch_nodes_note(layer);
	made += nodes;
}

static int start_thread(void **state)
{
	static uint64_t threads = 1000;

	(void)state;
	torch_nodes_number(next_node, this_thread);
	thread_number = threads++;
	made = 0;
	return 0;
}

static void test_layers_of_a_pass(void **state)
{
	static const uint32_t expected[] = {1, 1, 2, 2, 2, 1, 3, 0};

	(void)state;
	in_layer(1, 2);
	in_layer(2, 3);
	in_layer(1, 1);
	in_layer(3, 1);
	in_layer(4, 0); /* makes nothing */
	in_layer(0, 1);
	for (uint64_t i = 8; i-- > 0;)
		assert_int_equal(layer_of(thread_number, i), expected[i]);
}

static void test_made_before_the_first_layer(void **state)
{
	(void)state;
	made = 5;
	in_layer(1, 1);
	assert_int_equal(layer_of(thread_number, 4), 0);
	assert_int_equal(layer_of(thread_number, 5), 1);
	assert_int_equal(layer_of(thread_number, 4), 0);
}

static void test_what_accumulates_has_no_layer(void **state)
{
	uint64_t node[8] = {[3] = ACCUMULATES, [6] = thread_number};
	uint32_t layer;

	(void)state;
	in_layer(1, 1);
	assert_false(torch_nodes_layer(node, &layer));
}

/* In any order, also of several passes of which the oldest are forgotten. */
static void test_against_a_list(void **state)
{
	enum { NODES = 1 << 20, KEPT = 1 << 18 };
	uint32_t *layers = calloc(NODES, sizeof(*layers));
	uint64_t at = 0;

	(void)state;
	assert_non_null(layers);
	srand(1);
	for (uint64_t i = 0; i < NODES;) {
		uint32_t layer = 1 + (uint32_t)rand() % 50;
		unsigned nodes = (unsigned)rand() % 4;

		in_layer(layer, nodes);
		for (; nodes && i < NODES; nodes--)
			layers[i++] = layer;
	}
	for (uint64_t i = NODES; i-- > NODES - KEPT;)
		assert_int_equal(layer_of(thread_number, i), layers[i]);
	for (int turn = 0; turn < 200000; turn++) {
		at = turn % 100 ? at - (uint64_t)(rand() % 5) + (uint64_t)(rand() % 4)
				: NODES - 1 - (uint64_t)rand() % KEPT;
		if (at < NODES && at >= NODES - KEPT)
			assert_int_equal(layer_of(thread_number, at), layers[at]);
	}
	assert_int_equal(layer_of(thread_number, 0), 0);
	free(layers);
}

static void *forward(void *number)
{
	thread_number = *(uint64_t *)number;
	in_layer(7, 2);
	in_layer(0, 0);
	return NULL;
}

static void run_forward(uint64_t number)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, forward, &number), 0);
	pthread_join(thread, NULL);
}

/* Of another thread, which has ended; and of two that are kept at one place, the later one's. */
static void test_threads(void **state)
{
	uint64_t number = thread_number;

	(void)state;
	in_layer(1, 4);
	run_forward(number + 1);
	assert_int_equal(layer_of(number + 1, 1), 7);
	assert_int_equal(layer_of(number, 1), 1);
	assert_int_equal(layer_of(number + 2, 1), 0);
	run_forward(number + 64);
	assert_int_equal(layer_of(number, 1), 0);
	assert_int_equal(layer_of(number + 64, 1), 7);
	in_layer(2, 1);
	assert_int_equal(layer_of(number, 4), 2);
	assert_int_equal(layer_of(number, 1), 0);
	assert_int_equal(layer_of(number + 64, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_layers_of_a_pass, start_thread),
		cmocka_unit_test_setup(test_made_before_the_first_layer, start_thread),
		cmocka_unit_test_setup(test_what_accumulates_has_no_layer, start_thread),
		cmocka_unit_test_setup(test_against_a_list, start_thread),
		cmocka_unit_test_setup(test_threads, start_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
