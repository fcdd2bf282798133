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

void clock_meter_add(struct clock_meter *meter, double x, double u, gint64 bin)
{
	struct meter_sums *sums = &meter->sums;

	sums->count++;
	sums->x += x;
	sums->u += u;
	sums->xx += x * x;
	sums->xu += x * u;
	sums->uu += u * u;
	sums->bins += bin != sums->last_bin;
	sums->last_bin = bin;
}

double clock_meter_regress(struct clock_meter *meter)
{
	const struct meter_sums sums = meter->sums;
	double n = sums.count, uu = sums.uu - sums.u * sums.u / n;
	double xu = sums.xu - sums.x * sums.u / n, xx = sums.xx - sums.x * sums.x / n;
	double slope = uu > 0 ? xu / uu : 0, rest = MAX(xx - slope * xu, 0);
	double error = sqrt(rest / uu / (double)sums.bins);

	meter->sums = nothing;
	meter->follows = 0;
	if (sums.bins < BINS_MIN)
		return 0;
	meter->variance = rest / n + LEAST_NOISE * LEAST_NOISE;
	if (slope > PROVEN * error)
		meter->follows = slope;
	meter->log_base_ns -= (sums.x - meter->follows * sums.u) / n;
	return meter->follows - 2 * error;
}
