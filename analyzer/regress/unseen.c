/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/unseen.h"

#include <math.h>

#include "analyzer/regress/fitting.h"

struct unseen *unseen_of(struct fitting *fitting, GArray *readings)
{
	size_t powers = fitting->fit->powers;
	struct unseen *unseen = g_new0(struct unseen, 1);
	double *prior_weight = g_new(double, powers);

	/* Where there are many powers, once is enough work. */
	unseen->folds = powers > FITTING_COLUMNS_FEW ? 1 : BLOCKS_FOLDS;
	unseen->power_w = g_new0(double, unseen->folds *powers);
	for (guint fold = 0; fold < unseen->folds; fold++) {
		double *power_w = unseen->power_w + fold * powers;

		if (!fitting_find_powers(fitting, (int)fold, prior_weight, power_w))
			for (size_t i = 0; i < powers; i++)
				power_w[i] = NAN;
	}
	unseen->readings = g_array_ref(readings);
	unseen->design = fitting->design;
	fitting->design = NULL;
	unseen->blocks = fitting->blocks;
	g_free(prior_weight);
	return unseen;
}

void unseen_free(struct unseen *unseen)
{
	if (!unseen)
		return;
	design_free(unseen->design);
	g_array_unref(unseen->readings);
	g_free(unseen->power_w);
	g_free(unseen);
}
