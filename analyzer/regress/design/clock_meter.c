/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/clock_meter.h"

#include <math.h>

#define BINS_MIN 20      /* in which a class ran, to say how closely it follows */
#define PROVEN 5.        /* standard errors by which a class follows the clock */
#define LEAST_NOISE 1e-3 /* relative: devices' clocks count in steps of some nanoseconds */

static const struct meter_sums nothing = {.last_bin = -1};

struct clock_meter clock_meter_of(double mean_ns, double variance)
{
	return (struct clock_meter){
		.log_base_ns = log(mean_ns), .follows = 1, .variance = variance, .sums = nothing};
}

void clock_meter_add(struct clock_meter *meter, double x, double c, gint64 bin)
{
	struct meter_sums *sums = &meter->sums;

	sums->count++;
	sums->x += x;
	sums->c += c;
	sums->xx += x * x;
	sums->xc += x * c;
	sums->cc += c * c;
	sums->bins += bin != sums->last_bin;
	sums->last_bin = bin;
}

double clock_meter_regress(struct clock_meter *meter)
{
	const struct meter_sums sums = meter->sums;
	double n = sums.count, cc = sums.cc - sums.c * sums.c / n;
	double xc = sums.xc - sums.x * sums.c / n, xx = sums.xx - sums.x * sums.x / n;
	double slope = cc > 0 ? xc / cc : 0, rest = MAX(xx - slope * xc, 0);
	double error = sqrt(rest / cc / (double)sums.bins);

	meter->sums = nothing;
	meter->follows = 0;
	if (sums.bins < BINS_MIN)
		return 0;
	meter->variance = rest / n + LEAST_NOISE * LEAST_NOISE;
	if (slope > PROVEN * error)
		meter->follows = slope;
	meter->log_base_ns -= (sums.x - meter->follows * sums.c) / n;
	return meter->follows - 2 * error;
}
