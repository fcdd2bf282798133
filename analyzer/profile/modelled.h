/* SPDX-License-Identifier: MIT */
/* The powers that fits have of the parts into which a kernel was divided. */
#ifndef PWRTRACE_MODELLED_H
#define PWRTRACE_MODELLED_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/profile/steady.h"

/* What is known of a part. */
struct modelled_power {
	struct steady_power own;
	struct steady_power together; /* the mean of its group; its own where there is none */
	guint group; /* parts of one group, from 1, are not told apart; 0: it is told apart */
};

/* Sets powers[parts], that of part 1 first.  Returns false where nothing is told apart: there is no
 * fit, or all parts are one group. */
bool modelled_powers(
	const struct attribution *attribution, guint parts, struct modelled_power *powers);

#endif
