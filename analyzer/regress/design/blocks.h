/* SPDX-License-Identifier: MIT */
/* The held-out blocks: the time of the readings is cut into blocks of a few seconds, which are
 * dealt to folds in turn.  A fit without the readings of a fold predicts the energy of its blocks.
 */
#ifndef PWRTRACE_BLOCKS_H
#define PWRTRACE_BLOCKS_H

#include "analyzer/regress/design/design.h"

#define BLOCKS_FOLDS 5 /* each fit has four fifths of the readings */

struct blocks {
	double begin_ns, span_ns; /* the first reading, and from there to the last */
	double length_ns;         /* of a block */
};

/* count is at least 1. */
struct blocks blocks_of(const struct power_reading *readings, guint count);

/* The block of a time, counted from 0; a time outside is in the first or the last one. */
guint blocks_at(const struct blocks *blocks, double time_ns);

/* The fold of that block.  The first and the last block, which may be the only ones with an idle
 * device, are in different folds. */
guint blocks_fold(const struct blocks *blocks, double time_ns);

#endif
