/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_AUTOCORRELATION_H
#define PWRTRACE_AUTOCORRELATION_H

#include <glib.h>

/* The integrated autocorrelation time of a series: 1 + 2 · Σ of its autocorrelations, up to the
 * first that white noise might show.  So many observations tell as much as one that is independent.
 * values: residuals, each in its own standard deviations. */
double autocorrelation_time(const double *values, guint count);

#endif
