/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_AUTOCORRELATION_H
#define PWRTRACE_AUTOCORRELATION_H

#include <glib.h>

/*
 * The integrated autocorrelation time of a series, 1 + 2 · Σ ρ(lag), summed up to the first lag at
 * which ρ is not significant.  count divided by it is the effective sample size.  values[count] are
 * residuals with mean 0, each divided by its own standard deviation.
 */
double autocorrelation_time(const double *values, guint count);

#endif
