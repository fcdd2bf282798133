/* SPDX-License-Identifier: MIT */
/* The response with which a fit explains its readings. */
#ifndef PWRTRACE_FIT_RESPONSE_H
#define PWRTRACE_FIT_RESPONSE_H

#include "analyzer/regress/fit.h"

/* Sets fit->response and fit->found: the calibrated one, else the one that explains the readings
 * best.  weight: of the readings in an earlier fit, whose powers are then used; NULL: there is
 * none.  of_others: these powers are those of other recordings. */
void fit_set_response(struct fit *fit, const struct model *model, const GArray *readings,
	const double *weight, bool of_others);

#endif
