/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/modes.h"

#include <math.h>

size_t modes_cut(
	const double *sorted, size_t count, double ratio, size_t least, double *cuts, size_t most)
{
	size_t found = 0, first = 0;

	for (size_t i = 1; i < count && found < most; i++) {
		if (!(sorted[i] >= ratio * sorted[i - 1]) || i - first < least || count - i < least)
			continue;
		cuts[found++] = sqrt(sorted[i] * sorted[i - 1]);
		first = i;
	}
	return found;
}
