/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CORRELATION_H
#define PWRTRACE_CORRELATION_H

#include <glib.h>

/* The integrated autocorrelation time of a series: 1 + 2 · Σ of its autocorrelations, up to the
 * first that white noise might show.  So many observations tell as much as one that is independent.
 * values: residuals, each in its own standard deviations. */
double correlation_of(const double *values, guint count);

#endif
