/* SPDX-License-Identifier: MIT */
/* What two sensors of one domain of a device say of the same time. */
#ifndef PWRTRACE_AGREEMENT_H
#define PWRTRACE_AGREEMENT_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/model/source.h"

struct agreement {
	const struct source *a, *b;
	double a_j, b_j; /* of it; a_j is not 0 */
	double time_s;   /* from the later of their first readings to the earlier of their last */
};

/* By how much the second says more, as a part of what the first says. */
static inline double agreement_residual(const struct agreement *agreement)
{
	return agreement->b_j / agreement->a_j - 1;
}

/* Of each two that have both measured nearly all of such a time (struct agreement); the caller
 * frees the array. */
GArray *agreements_of(const struct ledger *ledger);

#endif
