/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>

#include "preload/engine/core/ring.h"
#include "tests/unit/unit.h"

#define CAPACITY 64
#define PRODUCERS 6
#define ENTRIES 20000

struct entry {
	uint32_t producer;
	uint32_t number;
	uint32_t check;
};

static struct ring ring;

static bool push(struct ring *to, const struct entry *entry)
{
	struct entry *room = ring_claim(to);

	if (!room)
		return false;
	*room = *entry;
	ring_publish(room);
	return true;
}

static void first_in_first_out(void **state)
{
	struct entry entry;

	(void)state;
	assert_true(ring_init(&ring, sizeof(entry), CAPACITY));
	assert_false(ring_pop(&ring, &entry));
	for (uint32_t turn = 0; turn < 3 * CAPACITY; turn++) {
		for (uint32_t i = 0; i < 5; i++)
			assert_true(push(&ring, &(struct entry){.number = 5 * turn + i}));
		for (uint32_t i = 0; i < 5; i++) {
			assert_true(ring_pop(&ring, &entry));
			assert_int_equal(entry.number, 5 * turn + i);
		}
	}
}

static void a_full_ring_refuses(void **state)
{
	struct entry entry = {0};

	(void)state;
	assert_true(ring_init(&ring, sizeof(entry), CAPACITY));
	for (uint32_t i = 0; i < CAPACITY; i++)
		assert_true(push(&ring, &entry));
	assert_false(push(&ring, &entry));
	assert_true(ring_pop(&ring, &entry));
	assert_true(push(&ring, &entry));
	ring_reset(&ring);
	assert_false(ring_pop(&ring, &entry));
	assert_true(push(&ring, &entry));
}

/* As when a thread is interrupted while it fills an entry in. */
static void what_is_not_published_holds_back_what_follows(void **state)
{
	struct entry entry = {.number = 2}, *claimed;

	(void)state;
	assert_true(ring_init(&ring, sizeof(entry), CAPACITY));
	claimed = ring_claim(&ring);
	assert_non_null(claimed);
	assert_true(push(&ring, &entry));
	assert_false(ring_pop(&ring, &entry));
	claimed->number = 1;
	ring_publish(claimed);
	assert_true(ring_pop(&ring, &entry));
	assert_int_equal(entry.number, 1);
	assert_true(ring_pop(&ring, &entry));
	assert_int_equal(entry.number, 2);
}

/* As in the child of a fork, while a thread of the parent was filling one in. */
static void a_reset_ring_is_empty_and_whole(void **state)
{
	struct entry entry = {0};

	(void)state;
	assert_true(ring_init(&ring, sizeof(entry), CAPACITY));
	for (uint32_t i = 0; i < CAPACITY + 7; i++) {
		assert_true(push(&ring, &entry));
		assert_true(ring_pop(&ring, &entry));
	}
	assert_true(push(&ring, &entry));
	assert_non_null(ring_claim(&ring));
	assert_true(push(&ring, &entry));
	ring_reset(&ring);
	assert_false(ring_pop(&ring, &entry));
	for (entry.number = 0; entry.number < CAPACITY; entry.number++)
		assert_true(push(&ring, &entry));
	assert_false(push(&ring, &entry));
	for (uint32_t i = 0; i < CAPACITY; i++) {
		assert_true(ring_pop(&ring, &entry));
		assert_int_equal(entry.number, i);
	}
	assert_false(ring_pop(&ring, &entry));
}

static void without_memory_it_is_empty_and_full(void **state)
{
	static struct ring none;
	struct entry entry = {0};

	(void)state;
	assert_false(ring_init(&none, sizeof(entry), (size_t)1 << 50));
	assert_false(push(&none, &entry));
	assert_false(ring_pop(&none, &entry));
	ring_reset(&none);
	assert_false(ring_pop(&none, &entry));
}

static void *produce(void *number)
{
	struct entry entry = {.producer = (uint32_t)(uintptr_t)number};

	for (entry.number = 0; entry.number < ENTRIES; entry.number++) {
		entry.check = entry.producer ^ ~entry.number;
		while (!push(&ring, &entry))
			sched_yield();
	}
	return NULL;
}

/* Nothing is lost, torn or out of its producer's order. */
static void many_producers(void **state)
{
	pthread_t producers[PRODUCERS];
	uint32_t expected[PRODUCERS] = {0};
	struct entry entry;

	(void)state;
	assert_true(ring_init(&ring, sizeof(entry), CAPACITY));
	for (uintptr_t i = 0; i < PRODUCERS; i++)
		assert_int_equal(pthread_create(&producers[i], NULL, produce, (void *)i), 0);
	for (uint32_t popped = 0; popped < PRODUCERS * ENTRIES;) {
		if (!ring_pop(&ring, &entry)) {
			sched_yield();
			continue;
		}
		popped++;
		assert_in_range(entry.producer, 0, PRODUCERS - 1);
		assert_int_equal(entry.number, expected[entry.producer]++);
		assert_int_equal(entry.check, entry.producer ^ ~entry.number);
	}
	for (int i = 0; i < PRODUCERS; i++)
		pthread_join(producers[i], NULL);
	assert_false(ring_pop(&ring, &entry));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_in_first_out),
		cmocka_unit_test(a_full_ring_refuses),
		cmocka_unit_test(what_is_not_published_holds_back_what_follows),
		cmocka_unit_test(a_reset_ring_is_empty_and_whole),
		cmocka_unit_test(without_memory_it_is_empty_and_full),
		cmocka_unit_test(many_producers),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
