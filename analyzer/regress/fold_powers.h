/* SPDX-License-Identifier: MIT */
/*
 * The powers that a fit would have without each fold of the readings, for the held-out test.  The
 * response, the influences and the weights are those of the whole fit.
 */
#ifndef PWRTRACE_FOLD_POWERS_H
#define PWRTRACE_FOLD_POWERS_H

#include "analyzer/regress/design/blocks.h"

struct regression;

struct fold_powers {
	GArray *readings;      /* struct power_reading: all that the fit used */
	struct design *design; /* a row for each */
	struct blocks blocks;
	guint folds;     /* how many are left out, one at a time: the first ones */
	double *power_w; /* folds × powers: without each fold; NaN where the equations cannot be
			    solved */
};

/* Estimates them for a solved regression; takes over its design, and a reference to readings.
 * fold_powers_free it. */
struct fold_powers *fold_powers_of(struct regression *regression, GArray *readings);

/* fold_powers may be NULL. */
void fold_powers_free(struct fold_powers *fold_powers);

#endif
