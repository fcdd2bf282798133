/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/apportion.h"

#include <glib.h>
#include <stdbool.h>

struct remainder {
	size_t index;
	uint64_t value;
};

/* Whether a comes before b: the larger remainder, and of equal ones the first. */
static bool before(const struct remainder *a, const struct remainder *b)
{
	return a->value > b->value || (a->value == b->value && a->index < b->index);
}

static void swap(struct remainder *a, struct remainder *b)
{
	struct remainder old = *a;

	*a = *b;
	*b = old;
}

/* Moves those that come first to the front, by Hoare's selection: no order among them is needed,
 * and sorting millions would take longer than all else. */
static void select_first(struct remainder *all, size_t count, size_t first)
{
	size_t low = 0, high = count;

	while (high - low > 1 && first > low && first < high) {
		struct remainder pivot = all[low + (high - low) / 2];
		size_t i = low, k = high - 1;

		for (;; i++, k--) {
			while (before(&all[i], &pivot))
				i++;
			while (before(&pivot, &all[k]))
				k--;
			if (i >= k)
				break;
			swap(&all[i], &all[k]);
		}
		/* Those below i come before the rest; where i and k have met, the pivot is there.
		 */
		if (first <= i)
			high = i;
		else
			low = i == k ? i + 1 : i;
	}
}

/* amount * weight / whole and its remainder, weight being no more than whole: an estimate that is
 * put right, as dividing 128 bits takes ten times as long and there are millions to do. */
static uint64_t share(uint64_t amount, uint64_t weight, uint64_t whole, uint64_t *remainder)
{
	double estimate = (double)amount * ((double)weight / (double)whole);
	uint64_t part = estimate < (double)amount ? (uint64_t)estimate : amount;
	/* Modulo 2^128, as products may be more than half of that; what is left is small. */
	__int128 left =
		(__int128)((unsigned __int128)amount * weight - (unsigned __int128)part * whole);

	for (; left < 0; part--)
		left += whole;
	for (; left >= whole; part++)
		left -= whole;
	*remainder = (uint64_t)left;
	return part;
}

void apportion(uint64_t amount, const uint64_t *weights, size_t count, uint64_t *parts)
{
	struct remainder *remainders = g_new0(struct remainder, count);
	uint64_t whole = 0, left = amount;

	for (size_t i = 0; i < count; i++)
		whole += weights[i];
	for (size_t i = 0; i < count; i++) {
		remainders[i].index = i;
		parts[i] = share(amount, weights[i], whole, &remainders[i].value);
		left -= parts[i];
	}
	select_first(remainders, count, left);
	for (size_t i = 0; i < left; i++)
		parts[remainders[i].index]++;
	g_free(remainders);
}
