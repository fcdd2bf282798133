/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/apportion.h"

#include <glib.h>

struct remainder {
	size_t index;
	uint64_t value;
};

static int by_value(gconstpointer a, gconstpointer b)
{
	const struct remainder *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

void apportion(uint64_t amount, const uint64_t *weights, size_t count, uint64_t *parts)
{
	struct remainder *remainders = g_new(struct remainder, count);
	uint64_t whole = 0, left = amount;

	for (size_t i = 0; i < count; i++)
		whole += weights[i];
	for (size_t i = 0; i < count; i++) {
		unsigned __int128 product = (unsigned __int128)amount * weights[i];

		parts[i] = (uint64_t)(product / whole);
		remainders[i] = (struct remainder){i, (uint64_t)(product % whole)};
		left -= parts[i];
	}
	qsort(remainders, count, sizeof(*remainders), by_value);
	for (size_t i = 0; i < left; i++)
		parts[remainders[i].index]++;
	g_free(remainders);
}
