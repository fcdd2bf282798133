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

/* Sets powers[parts], that of part 1 first, each by itself.  Of several
 * recordings of a device, the one that tells it best counts. */
void modelled_powers(
	const struct attribution *attribution, guint parts, struct modelled_power *powers);

/* Groups parts that follow each other until the mean of each group is known as well as that of a
 * group of classes (FIT_GROUP_WIDEST); at the end, what is not is of the last group.  powers: as
 * modelled_powers sets them.  Returns false where nothing is told apart. */
bool modelled_groups(
	const struct attribution *attribution, guint parts, struct modelled_power *powers);

#endif
