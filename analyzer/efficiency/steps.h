/* SPDX-License-Identifier: MIT */
/* What the steps of a server cost, without what was launched or drawn while it had no request. */
#ifndef PWRTRACE_EFFICIENCY_STEPS_H
#define PWRTRACE_EFFICIENCY_STEPS_H

#include "analyzer/ledger/iterations.h"

/* One iteration of a ledger, as a step of a server. */
struct step {
	double tokens, output;   /* that were processed, that came out */
	guint requests;          /* of which there were tokens */
	double energy_j, time_s; /* by steps_cost; NaN: not known */

	uint64_t waited_ns;          /* at its beginning: without a request */
	uint64_t other_nj, other_ns; /* of what was launched then, and how long that ran */
};

/* From when to when a process had a request that it served: from its arrival to its last token. */
struct served {
	uint32_t process;
	uint64_t begin_ns, end_ns;
};

/* Sets the energy and the time of each step.  served: struct served, by process, then by begin_ns;
 * step: by iteration, and one more. */
void steps_cost(const struct ledger *ledger, struct iterations *iterations, const GArray *served,
	struct step *step);

#endif
