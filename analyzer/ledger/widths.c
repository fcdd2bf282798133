/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/widths.h"

#include <math.h>

static int by_part(gconstpointer a, gconstpointer b)
{
	const struct energy_width *x = a, *y = b;

	return x->part < y->part ? -1 : x->part > y->part;
}

double widths_within(GArray *widths, double part)
{
	double sum_j = 0, until_j = 0;

	g_array_sort(widths, by_part);
	for (guint i = 0; i < widths->len; i++)
		until_j += part * g_array_index(widths, struct energy_width, i).energy_j;
	for (guint i = 0; i < widths->len; i++) {
		const struct energy_width *width = &g_array_index(widths, struct energy_width, i);

		sum_j += width->energy_j;
		if (sum_j >= until_j)
			return width->part;
	}
	return INFINITY;
}
