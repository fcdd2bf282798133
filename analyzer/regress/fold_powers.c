/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/fold_powers.h"

#include <math.h>

#include "analyzer/regress/regression.h"

struct fold_powers *fold_powers_of(struct regression *regression, GArray *readings)
{
	size_t powers = regression->fit->powers;
	struct fold_powers *fold_powers = g_new0(struct fold_powers, 1);
	double *prior_weight = g_new(double, powers);

	/* Each fold is a solution: with many powers, one takes seconds. */
	fold_powers->folds = powers > REGRESSION_COLUMNS_FEW ? 1 : BLOCKS_FOLDS;
	fold_powers->power_w = g_new0(double, fold_powers->folds *powers);
	for (guint fold = 0; fold < fold_powers->folds; fold++) {
		double *power_w = fold_powers->power_w + fold * powers;

		if (!regression_find_powers(regression, (int)fold, prior_weight, power_w))
			for (size_t i = 0; i < powers; i++)
				power_w[i] = NAN;
	}
	fold_powers->readings = g_array_ref(readings);
	fold_powers->design = regression->design;
	regression->design = NULL;
	fold_powers->blocks = regression->blocks;
	g_free(prior_weight);
	return fold_powers;
}

void fold_powers_free(struct fold_powers *fold_powers)
{
	if (!fold_powers)
		return;
	design_free(fold_powers->design);
	g_array_unref(fold_powers->readings);
	g_free(fold_powers->power_w);
	g_free(fold_powers);
}
