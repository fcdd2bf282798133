/* SPDX-License-Identifier: MIT */
/*
 * The only test of an attribution that needs no truth: how far methods are off on the energy of
 * blocks of time that they have not seen.  From all other blocks each method has a power for each
 * class: of what it attributes to the class there, or by fitted powers.  With what ran in a block,
 * seen through the sensor's response, these predict the block's energy.
 */
#ifndef PWRTRACE_HELDOUT_H
#define PWRTRACE_HELDOUT_H

#include "analyzer/attribute/method.h"

struct heldout {
	guint blocks;  /* that were predicted; 0: the recording is too short */
	guint own;     /* index in methods of the method that the fit is of */
	double *error; /* by method: mean |predicted - measured| / measured; NaN without blocks */
};

/* Tests a fit of a method's, beside all other methods; uses fit->fold_powers up. */
struct heldout *heldout_test(const struct model *model, const struct method *own, struct fit *fit);
void heldout_free(struct heldout *heldout);

/* The least error of all methods but the fit's own. */
double heldout_best_other(const struct heldout *heldout);

#endif
