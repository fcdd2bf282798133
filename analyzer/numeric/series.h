/* SPDX-License-Identifier: MIT */
/* The mean of a series, and how exactly that is known where neighbours are alike. */
#ifndef PWRTRACE_SERIES_H
#define PWRTRACE_SERIES_H

#include <glib.h>

/* Sums over stretches of equal numbers of values: the longer a series is the longer these are, so
 * that no more memory is needed for it.  {0} is an empty one; free with series_clear. */
struct series {
	GArray *sums;  /* double, by stretch; NULL: none */
	guint stretch; /* values in each, a power of 2 */
	guint filled;  /* values in the last one */
};

void series_add(struct series *series, double value);

/* Half the 95 % interval of the mean, as a part of that: by Student's factor and how much stretches
 * differ, which count as fewer where neighbours are alike (autocorrelation_time).  NaN of fewer
 * than two values. */
double series_part95(const struct series *series);

void series_clear(struct series *series);

#endif
