/* SPDX-License-Identifier: MIT */
/*
 * What a longer recording of the same program would tell: equation (19) of
 * analyzer/regress/README.md.  What readings say of the powers grows in proportion to the time; the
 * prior and what other recordings tell stay as they are, and so does what repetition hides.
 */
#ifndef PWRTRACE_FORECAST_H
#define PWRTRACE_FORECAST_H

#include "analyzer/regress/joint.h"

struct forecast {
	size_t n;            /* powers and nuisance parameters */
	double *information; /* n × n: the normal matrix of the readings alone */
	double *assumed;     /* n × n: that of the prior and of other recordings */
};

/* Keeps of a solved fit what its forecast is computed from, as fit->forecast; NULL where there are
 * more than REGRESSION_COLUMNS_FEW powers, as that would take seconds. */
void forecast_make(struct fit *fit, const struct joint_fit *joint);
void forecast_free(struct forecast *forecast); /* NULL is fine */

/* Half the 95 % interval, as a part of its energy, that the program's executions of each class
 * would have in a recording `times` as long: by class, NaN where it has no energy.  NULL where
 * there is no forecast.  g_free it. */
double *forecast_widths(const struct fit *fit, double times);

#endif
