/* SPDX-License-Identifier: MIT */
/* The powers that fits have of the parts into which a kernel was divided. */
#ifndef PWRTRACE_MODELLED_H
#define PWRTRACE_MODELLED_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/profile/steady.h"

/* What is known of a part; NaN where no fit has it. */
struct modelled_power {
	struct steady_power own;
	struct steady_power together; /* the mean of its group; its own where there is none */
	struct number_range group;    /* they are not told apart; it alone: it is told apart */
};

/* Sets powers[parts], that of part 1 first, each by itself.  Of several recordings of a device, the
 * one that tells it best counts. */
void modelled_powers(
	const struct attribution *attribution, guint parts, struct modelled_power *powers);

/* Makes groups of parts that follow each other: a group ends where the readings tell its mean as
 * well as that of a group of classes (FIT_GROUP_WIDEST); what is left at the end joins the last
 * group. powers: as modelled_powers sets them.  Returns false where all would be one group. */
bool modelled_groups(
	const struct attribution *attribution, guint parts, struct modelled_power *powers);

#endif
