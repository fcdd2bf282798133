/* SPDX-License-Identifier: MIT */
/* The terms of an execution's energy, by fit and class, from which its interval is computed. */
#ifndef PWRTRACE_SHARE_H
#define PWRTRACE_SHARE_H

#include "analyzer/attribute/attribution.h"

/* The amount of a class of a fit in an energy. */
struct class_share {
	guint fit; /* its index in the attribution's fits */
	struct fit_amount amount;
};

/* Sets shares (struct class_share) to the terms of an execution's energy, in the order of fits: one
 * for each fit that has divided energy of its time; none where its static part is not known. */
void shares_of(const struct attribution *attribution, const struct execution_energy *attributed,
	GArray *shares);

#endif
