/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/modes.h"

#include <math.h>

#define STRAYS 0.01 /* of the numbers lie in a gap at most */

/* Returns the upper one of those two neighbours from first to last of which the ratio is largest.
 */
static size_t widest_gap(const double *sorted, size_t first, size_t last)
{
	size_t best = first + 1;

	for (size_t i = first + 2; i <= last; i++)
		if (sorted[i] * sorted[best - 1] > sorted[best] * sorted[i - 1])
			best = i;
	return best;
}

size_t modes_cut(
	const double *sorted, size_t count, double ratio, size_t least, double *cuts, size_t most)
{
	size_t found = 0, first = 0, strays = (size_t)(STRAYS * (double)count);

	for (size_t i = 0; i + 1 + strays < count && found < most; i++) {
		size_t gap;

		if (sorted[i + 1 + strays] < ratio * sorted[i])
			continue;
		gap = widest_gap(sorted, i, i + 1 + strays);
		if (gap - first < least || count - gap < least)
			continue;
		cuts[found++] = sqrt(sorted[gap] * sorted[gap - 1]);
		first = i = gap;
	}
	return found;
}
