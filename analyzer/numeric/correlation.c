/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/correlation.h"

#include <math.h>

#define LONGEST 0.1 /* of the observations: the longest correlation that is looked for */

double correlation_of(const double *values, guint count)
{
	double variance = 0, sum = 1;

	for (guint i = 0; i < count; i++)
		variance += values[i] * values[i];
	for (guint lag = 1; lag < LONGEST * count; lag++) {
		double product = 0;

		for (guint i = lag; i < count; i++)
			product += values[i] * values[i - lag];
		/* Of white noise this falls below its own error at once. */
		if (!(product / variance >= 2 / sqrt(count)))
			break;
		sum += 2 * product / variance;
	}
	return sum;
}
