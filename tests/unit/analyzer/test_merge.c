/* SPDX-License-Identifier: MIT */
#include "analyzer/trace/merge.h"
#include "tests/unit/unit.h"

#define STREAMS 9
#define EVENTS 200

/* Streams with many equal times, and some that go backwards, come out as if one always took the
 * first of the earliest next events. */
static void the_first_of_the_earliest_comes_next(void **state)
{
	int64_t times[STREAMS][EVENTS];
	size_t next[STREAMS] = {0};
	struct merge_next heap[STREAMS];
	size_t size = STREAMS;

	(void)state;
	for (unsigned stream = 0; stream < STREAMS; stream++)
		for (unsigned i = 0; i < EVENTS; i++)
			times[stream][i] = (int64_t)(i / 3 + stream % 2) - (i % 50 == 7 ? 20 : 0);
	for (unsigned stream = 0; stream < STREAMS; stream++)
		heap[stream] =
			(struct merge_next){times[STREAMS - 1 - stream][0], STREAMS - 1 - stream};
	merge_begin(heap, size);
	for (unsigned taken = 0; taken < STREAMS * EVENTS; taken++) {
		unsigned expected = STREAMS, stream = heap->stream;

		for (unsigned i = 0; i < STREAMS; i++)
			if (next[i] < EVENTS &&
				(expected == STREAMS ||
					times[i][next[i]] < times[expected][next[expected]]))
				expected = i;
		assert_int_equal(stream, expected);
		if (++next[stream] < EVENTS)
			heap->time = times[stream][next[stream]];
		else
			*heap = heap[--size];
		if (size)
			merge_sift_down(heap, size, 0);
	}
	assert_int_equal(size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_of_the_earliest_comes_next),
	};

	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
