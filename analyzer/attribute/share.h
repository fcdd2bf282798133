/* SPDX-License-Identifier: MIT */
/* What an interval of an execution's energy is made from. */
#ifndef PWRTRACE_SHARE_H
#define PWRTRACE_SHARE_H

#include "analyzer/attribute/attribution.h"

/* What an energy has of a class of a fit. */
struct class_share {
	guint fit; /* its index in the attribution's fits */
	struct fit_amount amount;
};

/* Sets shares (struct class_share) to those of an execution's energy, in the order of fits: one by
 * each fit that has split energy of its time.  None where its static part is not known. */
void shares_of(const struct attribution *attribution, const struct execution_energy *attributed,
	GArray *shares);

#endif
