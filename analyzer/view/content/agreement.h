/* SPDX-License-Identifier: MIT */
/* The energies of the same time by two sensors of one domain of a device. */
#ifndef PWRTRACE_AGREEMENT_H
#define PWRTRACE_AGREEMENT_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/model/source.h"

struct agreement {
	const struct source *a, *b;
	double a_j, b_j; /* above 0; 0 or more */
	double time_s;   /* from the later of their first readings to the earlier of their last */
};

/* The excess of the second energy over the first, relative to the first. */
static inline double agreement_difference(const struct agreement *agreement)
{
	return agreement->b_j / agreement->a_j - 1;
}

/* Compares each two sensors of which both have measured nearly all of their common time.  Returns
 * the pairs (struct agreement); the caller frees the array. */
GArray *agreements_of(const struct ledger *ledger);

#endif
