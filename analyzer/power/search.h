/* SPDX-License-Identifier: MIT */
/* Finds what a study says: the sweeps over all executions, and what they have found of each unit
 * and of the sum. */
#ifndef PWRTRACE_POWER_SEARCH_H
#define PWRTRACE_POWER_SEARCH_H

#include "analyzer/power/extremes.h"
#include "analyzer/power/observation.h"
#include "analyzer/power/study.h"

struct power_search {
	const struct ledger *ledger;
	struct causes *causes;
	struct power_units *units;
	guint sum;                        /* the unit that stands for all */
	GArray *lengths_ns;               /* uint64_t: those asked for, then POWER_SYNCHRONY_NS */
	int64_t *idle_uw;                 /* by unit */
	uint64_t *idle_ns;                /* by unit: the time in which nothing ran */
	struct observation *observations; /* by unit, then of the sum */
	struct extremes *extremes;
	struct power_sweep *sweep;
	bool *chosen;        /* by origin; NULL: all are */
	uint64_t *origin_nj; /* by origin */
};

/* Looks for what was asked.  Returns false after an error message, where no device was measured or
 * nothing ran in the layer.  The ledger and causes must outlive the search; in any case free it
 * with power_search_clear. */
bool power_search(struct power_search *search, const struct ledger *ledger, struct causes *causes,
	const struct power_question *question);
void power_search_clear(struct power_search *search);

#endif
