/* SPDX-License-Identifier: MIT */
/*
 * The held-out test: how well each method predicts the energy of blocks of time that it has not
 * seen. It needs no known truth.  Blocks are in folds; from all other folds a method has a power
 * for each class, either fitted, or the mean of the energy that it attributes to the class.  These
 * powers, with what ran in a block and the sensor's response, predict the block's energy (K-fold
 * cross-validation).  Only time of the program counts, without that of replays.
 */
#ifndef PWRTRACE_HELDOUT_H
#define PWRTRACE_HELDOUT_H

#include "analyzer/attribute/method.h"

struct heldout {
	guint blocks; /* how many were predicted; 0: the recording is too short */
	guint own;    /* the index in methods[] of the method that made the fit */

	/* By method: mean |predicted - measured| / measured; NaN without blocks. */
	double error[METHODS];
};

/* Tests a fit, which the method `own` made, and all other methods.  Frees fit->fold_powers.  Free
 * the result with heldout_free. */
struct heldout *heldout_test(const struct model *model, const struct method *own, struct fit *fit);
void heldout_free(struct heldout *heldout);

/* The smallest error of the other methods. */
double heldout_best_other(const struct heldout *heldout);

#endif
