/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_SELECTION_H
#define PWRTRACE_SELECTION_H

#include "analyzer/regress/influence.h"
#include "analyzer/regress/regression.h"

/* Which influence the residuals of a fit ask for beside those that it accounts for: that which
 * explains most of what is left, as long as it is more than chance.  Adds its kind and its
 * parameter alone; false: there is none.  The fit is to be made again before it is asked again:
 * what seems to be two influences is often one that has not been accounted for. */
bool selection_add(
	const struct regression *regression, const struct model *model, struct influences *chosen);

#endif
