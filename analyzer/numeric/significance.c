/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/significance.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/numeric/order.h"

double significance_largest(const double *p, guint count)
{
	double *known = g_new(double, count + 1), largest = -1;
	guint found = 0;

	for (guint i = 0; i < count; i++)
		if (!isnan(p[i]))
			known[found++] = p[i];
	qsort(known, found, sizeof(*known), order_doubles);
	for (guint i = 0; i < found; i++)
		if (known[i] <= SIGNIFICANCE_CHANCE * (i + 1) / found)
			largest = known[i];
	g_free(known);
	return largest;
}
