/* SPDX-License-Identifier: MIT */
/*
 * The method "regress": finds the power of each class by which the sensor's readings are explained
 * best, through the sensor's response, and scales what that makes to the energy that was measured.
 */
#include "analyzer/attribute/method.h"
#include "analyzer/attribute/rake.h"
#include "analyzer/regress/fit.h"

static void attribute(struct model *model, const struct source *source,
	struct ledger_balance *balance, GPtrArray *fits)
{
	struct fit *fit = fit_of_source(fits, source);

	if (!fit && fit_possible(model, source) && (fit = fit_make(model, source)))
		g_ptr_array_add(fits, fit);
	if (fit)
		rake(model, source, fit, balance);
	else
		overlap_spread(model, source, source->curve, balance);
}

const struct method method_regress = {
	.name = "regress",
	.help = "the power of each kernel that explains the sensor best, and its interval",
	.attribute = attribute,
};
