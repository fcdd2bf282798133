/* SPDX-License-Identifier: MIT */
/* Blocks of a few seconds, into which the time of readings is cut, and the folds that they are
 * dealt to in turn: each fold can be left out of a fit, which then predicts its blocks. */
#ifndef PWRTRACE_BLOCKS_H
#define PWRTRACE_BLOCKS_H

#include "analyzer/regress/design.h"

#define BLOCKS_FOLDS 5

struct blocks {
	double begin_ns, span_ns; /* of the first reading, and from there to the last one */
	double length_ns;         /* of a block */
};

struct blocks blocks_of(const struct power_reading *readings, guint count);

/* The block of a time, counted from 0; what is outside is of the first or the last one. */
guint blocks_at(const struct blocks *blocks, double time_ns);

/* The fold of that block.  The first and the last block, which may be all that saw the device idle,
 * are of different ones. */
guint blocks_fold(const struct blocks *blocks, double time_ns);

#endif
