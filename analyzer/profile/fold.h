/* SPDX-License-Identifier: MIT */
/* The power of runs over time, folded over all of them, by the energies of what ran in them. */
#ifndef PWRTRACE_FOLD_H
#define PWRTRACE_FOLD_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/profile/runs.h"

/* Sets power_w[bins], the mean power of each part of the chosen runs, which are one execution each
 * and do not overlap: of equal parts of their time, in order.  What runs has its energy evenly over
 * its time; while nothing runs, the device draws its fitted static power.  Returns false where no
 * power is fitted. */
bool fold_powers(const struct attribution *attribution, const struct runs *runs, const bool *chosen,
	double *power_w, guint bins);

#endif
