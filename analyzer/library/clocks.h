/* SPDX-License-Identifier: MIT */
/* The clock at which classes ran. */
#ifndef PWRTRACE_LIBRARY_CLOCKS_H
#define PWRTRACE_LIBRARY_CLOCKS_H

#include "analyzer/regress/design/classes.h"

/* Of a class: the mean clock of the device while it ran, as it was sampled (negative: not known),
 * and the mean time of its executions, which tells the clock of one that is compute-bound better:
 * samples are too far apart to show which kernels a high clock was for. */
struct library_clock {
	double mhz, mean_ns;
};

/* By class; g_free it. */
struct library_clock *library_clocks(const struct model *model, const struct classes *classes);

#endif
