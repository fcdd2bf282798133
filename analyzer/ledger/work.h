/* SPDX-License-Identifier: MIT */
/*
 * What the program did with the energy: units of work that --work names, or that it counted by
 * marks. Joules per unit are those that were measured in all, as tokens per joule usually are;
 * those that are attributed to what ran leave out what was drawn while nothing ran.
 */
#ifndef PWRTRACE_WORK_H
#define PWRTRACE_WORK_H

#include "analyzer/ledger/ledger.h"

struct work {
	const char *name; /* of the marks; "": --work */
	const char *unit;
	double amount;  /* above 0 */
	uint64_t marks; /* by which it was counted; 0: --work */
};

/* Returns the work (struct work): what was named first, then that of each mark whose values add up
 * to something.  Free the array. */
GArray *work_of(const struct ledger *ledger, const struct work *named);

/* Takes apart N[UNIT], as in "128 token".  The unit is a part of the text.  Returns false where it
 * is no amount. */
bool work_parse(const char *text, struct work *work);

/* What the work took: all but what replays did. */
struct work_cost {
	double measured_j, attributed_j;
	double attributed_ci95_j; /* half the 95 % interval; negative: not known */
	double measured_s;        /* that any top-level sensor has measured */
	double recorded_s;        /* that the recordings took */
};

struct work_cost work_cost(const struct ledger *ledger);

/* Whether so much was not measured that joules per unit are more than they seem. */
bool work_partly_measured(const struct work_cost *cost);

#endif
