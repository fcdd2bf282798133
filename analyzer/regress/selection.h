/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_SELECTION_H
#define PWRTRACE_SELECTION_H

#include "analyzer/regress/design/influence.h"
#include "analyzer/regress/regression.h"

/* Adds to chosen the influence that explains most of the residuals beside those chosen already, if
 * that is more than chance explains: its kind and its parameter, without values.  Returns false
 * where there is none.  Fit again before the next call: what looks like two influences is often one
 * that has not been accounted for. */
bool selection_add(
	const struct regression *regression, const struct model *model, struct influences *chosen);

#endif
