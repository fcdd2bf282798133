/* SPDX-License-Identifier: MIT */
/*
 * A class of kernels as a meter of the clock: by how much its durations follow it, equation (12a)
 * of analyzer/regress/README.md.
 */
#ifndef PWRTRACE_CLOCK_METER_H
#define PWRTRACE_CLOCK_METER_H

#include <glib.h>

/* log_base_ns: log(base duration); follows: f; variance: sigma², of log(duration) beside the
 * clock's. */
struct clock_meter {
	double log_base_ns, follows, variance;
	struct meter_sums {
		double count, x, c, xx, xc, cc;
		gint64 bins, last_bin; /* in how many it ran, and the last of them */
	} sums;
};

/* A meter of which nothing is known but its mean duration: it follows the clock wholly. */
struct clock_meter clock_meter_of(double mean_ns, double variance);

/* Adds an execution that began in a bin of the field, in the order of time.  x: log(base duration /
 * duration); c: the logarithm of the clock, by other executions. */
void clock_meter_add(struct clock_meter *meter, double x, double c, gint64 bin);

/* Sets f, sigma and the base by a regression of x on c over the executions added, and forgets
 * these. Returns what f is at the least; 0 where there are too few. */
double clock_meter_regress(struct clock_meter *meter);

#endif
