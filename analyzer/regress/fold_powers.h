/* SPDX-License-Identifier: MIT */
/*
 * Powers for blocks of time that they have not seen: found, as all powers are, from the readings of
 * all other blocks, with the response, the influences and the weights of the whole.
 */
#ifndef PWRTRACE_FOLD_POWERS_H
#define PWRTRACE_FOLD_POWERS_H

#include "analyzer/regress/blocks.h"

struct regression;

struct fold_powers {
	GArray *readings;      /* struct power_reading: all that the fit has used */
	struct design *design; /* a row for each */
	struct blocks blocks;
	guint folds;     /* that are left out, one after the other: the first so many */
	double *power_w; /* folds × powers: without each; NaN where no powers can be found */
};

/* Of a fit that is made; takes over its design, and a reference to its readings. */
struct fold_powers *fold_powers_of(struct regression *regression, GArray *readings);

/* NULL: does nothing. */
void fold_powers_free(struct fold_powers *fold_powers);

#endif
