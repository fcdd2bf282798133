/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/apportion.h"

#include <glib.h>
#include <stdbool.h>

/* An amount to split, and the sum of the weights. */
struct division {
	uint64_t amount, whole;
	double rate; /* amount / whole */
};

/* Returns amount * weight / whole, rounded down, and its remainder; weight is at most whole.  A
 * floating-point estimate is corrected to the exact quotient: a division of 128 bits takes ten
 * times as long, and there are millions. */
static uint64_t share(const struct division *division, uint64_t weight, uint64_t *remainder)
{
	uint64_t amount = division->amount, whole = division->whole;
	double estimate = division->rate * (double)weight;
	uint64_t part = estimate < (double)amount ? (uint64_t)estimate : amount;
	/* Unsigned products wrap modulo 2^128; their difference is small, and so is exact. */
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

/* Weights with a larger remainder get one more each, and so do the first `equal` of those with an
 * equal one. */
struct threshold {
	uint64_t remainder, equal;
};

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

/* What is left of the amount when each weight has got its quotient goes to the largest remainders.
 * Finds the smallest of these by radix selection, the highest digit first.  Each pass computes the
 * remainders anew: to sort them, millions would have to be kept. */
static struct threshold select_largest(
	const struct division *division, const uint64_t *weights, size_t count)
{
	unsigned open = g_bit_storage(division->whole); /* how many lower bits are not known yet */
	uint64_t known = 0;                             /* the higher bits, in their places */
	uint64_t wanted = division->amount;

	for (bool first = true; open; first = false) {
		unsigned shift = open - MIN(open, DIGIT_BITS);
		size_t counts[DIGITS] = {0}, digit = DIGITS - 1;
		uint64_t least = UINT64_MAX, most = 0;

		for (size_t i = 0; i < count; i++) {
			uint64_t remainder, part = share(division, weights[i], &remainder);

			wanted -= first ? part : 0;
			if (open < 64 && remainder >> open != known >> open)
				continue;
			counts[remainder >> shift & (DIGITS - 1)]++;
			least = MIN(least, remainder);
			most = MAX(most, remainder);
		}
		if (!wanted)
			return (struct threshold){UINT64_MAX, 0};
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
	struct threshold threshold = select_largest(&division, weights, count);

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
