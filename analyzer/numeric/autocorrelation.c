/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/autocorrelation.h"

#include <math.h>

#define LONGEST                                                                                    \
	0.1 /* lag that is looked at, a part of the observations: few pairs lie farther apart */

double autocorrelation_time(const double *values, guint count)
{
	double variance = 0, sum = 1;

	for (guint i = 0; i < count; i++)
		variance += values[i] * values[i];
	for (guint lag = 1; lag < LONGEST * count; lag++) {
		double product = 0;

		for (guint i = lag; i < count; i++)
			product += values[i] * values[i - lag];
		/* Two standard errors of an autocorrelation of white noise: 1 / √count each. */
		if (!(product / variance >= 2 / sqrt(count)))
			break;
		sum += 2 * product / variance;
	}
	return sum;
}
