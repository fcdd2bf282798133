/* SPDX-License-Identifier: MIT */
/*
 * The variance by what a sensor's response might be.  The slopes by the nuisance parameters cover
 * responses near the best one; where others further away stay likely, too, shapes were drawn
 * (found_response.other), and with each of them the powers would be others.
 */
#ifndef PWRTRACE_DRAWN_RESPONSES_H
#define PWRTRACE_DRAWN_RESPONSES_H

#include "analyzer/regress/regression.h"

/* Adds the drawn responses' part to fit->covariance (section 7 of analyzer/regress/README.md),
 * where it exceeds what that has so far; else sets fit->found.others to 0, as the same error would
 * count twice. */
void drawn_responses_add(const struct regression *regression, const struct model *model);

#endif
