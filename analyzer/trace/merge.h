/* SPDX-License-Identifier: MIT */
/* Merges streams of events: a binary heap of their next events, the earliest first.  Of events with
 * the same time, that of the stream with the lower number is first. */
#ifndef PWRTRACE_TRACE_MERGE_H
#define PWRTRACE_TRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge_next {
	int64_t time; /* of the stream's next event */
	unsigned stream;
};

static inline bool merge_precedes(const struct merge_next *a, const struct merge_next *b)
{
	return a->time < b->time || (a->time == b->time && a->stream < b->stream);
}

/* Moves the element at i down to where it belongs. */
static inline void merge_sift_down(struct merge_next *heap, size_t count, size_t i)
{
	const struct merge_next moved = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < count && merge_precedes(&heap[child + 1], &heap[child]))
			child++;
		if (child >= count || merge_precedes(&moved, &heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

/* Makes a heap of elements in any order. */
static inline void merge_begin(struct merge_next *heap, size_t count)
{
	for (size_t i = count / 2; i > 0; i--)
		merge_sift_down(heap, count, i - 1);
}

#endif
