/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_SENSOR_CORRELATION_H
#define PWRTRACE_SENSOR_CORRELATION_H

#include <glib.h>

/* How many neighbours say the same: 1 + 2 · Σ of the autocorrelation until it vanishes.  values:
 * what is left of each observation, in its own standard deviations. */
double correlation_of(const double *values, guint count);

#endif
