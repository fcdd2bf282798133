/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_SIGNIFICANCE_H
#define PWRTRACE_SIGNIFICANCE_H

#include <glib.h>

/* What is less likely than this by chance is significant. */
#define SIGNIFICANCE_CHANCE 0.05

/* The largest of the p that are significant together, so that 5 % of those that are may be due to
 * chance (Benjamini and Hochberg, "Controlling the False Discovery Rate", Journal of the Royal
 * Statistical Society B 57, 1995); -1 where none is.  p[count]: how likely each is by chance; NaN:
 * not known, and not counted. */
double significance_largest(const double *p, guint count);

#endif
