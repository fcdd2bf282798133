/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/apportion.h"

#include <glib.h>
#include <stdbool.h>

/* An amount, split by weights of which the sum is whole. */
struct division {
	uint64_t amount, whole;
	double rate; /* amount / whole */
};

/* amount * weight / whole and its remainder, weight being no more than whole: an estimate that is
 * put right, as dividing 128 bits takes ten times as long and there are millions to do. */
static uint64_t share(const struct division *division, uint64_t weight, uint64_t *remainder)
{
	uint64_t amount = division->amount, whole = division->whole;
	double estimate = division->rate * (double)weight;
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

static struct division division_of(uint64_t amount, const uint64_t *weights, size_t count)
{
	struct division division = {.amount = amount};

	for (size_t i = 0; i < count; i++) {
		bool wraps = __builtin_add_overflow(division.whole, weights[i], &division.whole);

		g_assert(!wraps);
	}
	division.rate = (double)amount / (double)division.whole;
	return division;
}

/* What is left of the amount when each has its whole part. */
static uint64_t left_of(const struct division *division, const uint64_t *weights, size_t count)
{
	uint64_t left = division->amount, remainder;

	for (size_t i = 0; i < count; i++)
		left -= share(division, weights[i], &remainder);
	return left;
}

/* Larger remainders get one more, and the first so many of those that are equal. */
struct threshold {
	uint64_t remainder, equal;
};

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

/* Radix selection: finds the last of the so many largest remainders by its digits, the highest
 * first.  It computes them anew for each, where sorting would keep millions. */
static struct threshold select_largest(
	const struct division *division, const uint64_t *weights, size_t count, uint64_t wanted)
{
	unsigned open = g_bit_storage(division->whole); /* lower bits, not known yet */
	uint64_t known = 0;                             /* the others, in their places */

	if (!wanted)
		return (struct threshold){UINT64_MAX, 0};
	while (open) {
		unsigned shift = open - MIN(open, DIGIT_BITS);
		size_t counts[DIGITS] = {0}, digit = DIGITS - 1;
		uint64_t least = UINT64_MAX, most = 0;

		for (size_t i = 0; i < count; i++) {
			uint64_t remainder;

			share(division, weights[i], &remainder);
			if (open < 64 && remainder >> open != known >> open)
				continue;
			counts[remainder >> shift & (DIGITS - 1)]++;
			least = MIN(least, remainder);
			most = MAX(most, remainder);
		}
		if (least == most)
			return (struct threshold){least, wanted};
		for (; counts[digit] < wanted; digit--)
			wanted -= counts[digit];
		known |= (uint64_t)digit << shift;
		open = counts[digit] > wanted ? shift : 0;
	}
	return (struct threshold){known, wanted};
}

void apportion(uint64_t amount, const uint64_t *weights, size_t count, uint64_t *parts)
{
	const struct division division = division_of(amount, weights, count);
	uint64_t left = left_of(&division, weights, count);
	struct threshold threshold = select_largest(&division, weights, count, left);

	for (size_t i = 0; i < count; i++) {
		uint64_t remainder;

		parts[i] = share(&division, weights[i], &remainder);
		if (remainder == threshold.remainder && threshold.equal) {
			threshold.equal--;
			parts[i]++;
		}
		parts[i] += remainder > threshold.remainder;
	}
}
