/* SPDX-License-Identifier: MIT */
/* An estimated number with its 95 % interval. */
#ifndef PWRTRACE_ESTIMATE_H
#define PWRTRACE_ESTIMATE_H

#include <math.h>
#include <stdbool.h>

struct estimate {
	double value; /* NaN: not known */
	double low;
	double high;
};

#define ESTIMATE_UNKNOWN ((struct estimate){NAN, NAN, NAN})

static inline bool estimate_known(struct estimate estimate)
{
	return !isnan(estimate.value);
}

#endif
