/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_SELECTION_H
#define PWRTRACE_SELECTION_H

#include "analyzer/attr/fitting.h"
#include "analyzer/attr/influence.h"

/* Which influences the residuals of a fit ask for: one after the other, that which explains most of
 * what is left, as long as that is more than chance.  Sets kinds and time constants alone. */
void selection_make(
	const struct fitting *fitting, const struct model *model, struct influences *influences);

#endif
