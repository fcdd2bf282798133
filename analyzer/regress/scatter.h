/* SPDX-License-Identifier: MIT */
/*
 * What blocks of time say of how far a fit is off: a part of the time each, ten seconds at most,
 * and long enough that a reading tells of its own block alone.
 */
#ifndef PWRTRACE_SCATTER_H
#define PWRTRACE_SCATTER_H

#include "analyzer/regress/nuisance.h"

#define SCATTER_BLOCKS_MIN 3. /* blocks, to be worth asking */
#define SCATTER_BLOCKS_MAX 60 /* blocks */

/* How long a block is, of about so many. */
double scatter_length_ns(const struct regression *regression, guint blocks);

/* blocks: about how many.  By row: which block it is in; count becomes how many there are.
 * g_free it. */
guint *scatter_blocks(const struct regression *regression, guint blocks, guint *count);

struct scatter {
	double *variance;         /* of what blocks move each quantity by */
	double *effective_blocks; /* by power: how many blocks tell of it, as if all weighed the
				     same */
};

/* Of about so many blocks.  sensitivity: n × n, by how much a score of the powers and nuisances, of
 * which there are n, moves each quantity. */
struct scatter scatter_of(const struct regression *regression, const struct nuisances *nuisances,
	const double *sensitivity, size_t n, guint blocks);
void scatter_clear(struct scatter *scatter);

/* The quantile z (in standard deviations of a normal variate) of a mean of so many squares of
 * normal variates (Wilson and Hilferty, PNAS 17, 1931). */
double scatter_quantile(double freedom, double z);

#endif
