/* SPDX-License-Identifier: MIT */
/*
 * The scatter of estimates over blocks of time, equation (15) of README.md.  A block is ten seconds
 * at most, and long enough that a reading depends on its own block alone.
 */
#ifndef PWRTRACE_SCATTER_H
#define PWRTRACE_SCATTER_H

#include "analyzer/regress/nuisance.h"

#define SCATTER_BLOCKS_MIN 3. /* of fewer there is no variance */
#define SCATTER_BLOCKS_MAX 60 /* a variance of so many is known to a fifth: sqrt(2 / 60) */

/* The length of a block where there are to be about so many. */
double scatter_length_ns(const struct regression *regression, guint blocks);

/* Cuts the time of the readings into about so many blocks.  Returns the block of each row, counted
 * from 0; count becomes their number.  g_free it. */
guint *scatter_blocks(const struct regression *regression, guint blocks, guint *count);

struct scatter {
	double *variance; /* by quantity: the sum over blocks of the squares of what each moves it
			     by */
	double *effective_blocks; /* by power: the effective number of blocks (Kish) */
};

/* The scatter over about so many blocks.  sensitivity: n × n, by how much each quantity moves with
 * the score of each of the n powers and nuisance parameters.  scatter_clear it. */
struct scatter scatter_of(const struct regression *regression, const struct nuisances *nuisances,
	const double *sensitivity, size_t n, guint blocks);
void scatter_clear(struct scatter *scatter);

/* The quantile of chi-square / freedom at z standard deviations of a normal variate (Wilson and
 * Hilferty, PNAS 17, 1931). */
double scatter_quantile(double freedom, double z);

#endif
