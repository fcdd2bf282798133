/* SPDX-License-Identifier: MIT */
/*
 * What stretches of time say of how far a fit is off: a part of the time each, ten seconds at most,
 * and long enough that a reading tells of its own stretch alone.
 */
#ifndef PWRTRACE_SCATTER_H
#define PWRTRACE_SCATTER_H

#include "analyzer/regress/nuisance.h"

#define SCATTER_TELLING_MIN 3. /* stretches, to be worth asking */
#define SCATTER_MOST 60        /* stretches */

/* How long a stretch is, of about so many. */
double scatter_length_ns(const struct fitting *fitting, guint stretches);

/* stretches: about how many.  By row: which stretch it is in; count becomes how many there are.
 * g_free it. */
guint *scatter_stretches(const struct fitting *fitting, guint stretches, guint *count);

struct scatter {
	double *variance; /* of what stretches move each quantity by */
	double *telling;  /* by power: how many stretches tell of it, as if all weighed the same */
};

/* Of about so many stretches.  lines: n × n, by how much a score of the powers and nuisances, of
 * which there are n, moves each quantity. */
struct scatter scatter_of(const struct fitting *fitting, const struct nuisances *nuisances,
	const double *lines, size_t n, guint stretches);
void scatter_clear(struct scatter *scatter);

/* The quantile z (in standard deviations of a normal variate) of a mean of so many squares of
 * normal variates (Wilson and Hilferty, PNAS 17, 1931). */
double scatter_quantile(double freedom, double z);

#endif
