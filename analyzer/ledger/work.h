/* SPDX-License-Identifier: MIT */
/*
 * The work that the program did, as tokens, and the energy of a unit of it.  Work is an amount that
 * the option --work gives, or the sum of the program's marks.  Joules per unit are of all measured
 * energy, as usual for tokens per joule; those of attributed energy leave out idle energy.
 */
#ifndef PWRTRACE_WORK_H
#define PWRTRACE_WORK_H

#include "analyzer/ledger/ledger.h"

struct work {
	const char *name; /* of the marks; "": by --work */
	const char *unit;
	double amount;  /* above 0 */
	uint64_t marks; /* how many there were; 0: by --work */
};

/* Returns the work (struct work) of a ledger's program: first `named`, if its amount is above 0,
 * then that of each mark whose values add up to more than 0.  The caller frees the array; strings
 * belong to the model and to `named`. */
GArray *work_of(const struct ledger *ledger, const struct work *named);

/* Parses N[UNIT], as "128 token"; without a unit it is "iteration".  work->unit points into text.
 * Returns false where N is not above 0, or the unit is not UTF-8. */
bool work_parse(const char *text, struct work *work);

/* The energy and time of the program, without those of replays. */
struct work_cost {
	double measured_j, attributed_j;
	double attributed_ci95_j; /* half the 95 % interval; negative: not known */
	double measured_s;        /* time that any top-level source has measured */
	double recorded_s;        /* time of the recordings */
	/* So much was not measured, of the recordings or of what ran, that these joules, and those
	 * per unit, are too low. */
	bool partly_measured;
};

struct work_cost work_cost(const struct ledger *ledger);

/* Whether the joules until a time are too low, as those of a whole partly_measured program. */
bool work_partly_measured_until(const struct ledger *ledger, uint64_t until_ns);

/* Whether so much of the time of replays was not measured that their energy is too low. */
bool work_replays_partly_measured(const struct ledger *ledger);

#endif
