/* SPDX-License-Identifier: MIT */
/* Which classes are replayed if the budget does not suffice for all.  Pure functions: any thread.
 */
#ifndef PWRTRACE_REPLAY_CHOICE_H
#define PWRTRACE_REPLAY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A class that was not replayed yet, or that may turn out to have another size (sizes.h). */
struct replay_candidate {
	uint32_t class_id;
	uint64_t busy_ns;   /* how long it has run so far; 0: unknown, it cannot be chosen yet */
	uint64_t cost_ns;   /* for how long a replay of it would delay the program */
	uint64_t copies_ns; /* how much of that are copies of memory */
	bool chosen;
	bool reserves;   /* it was replayed: another size would cost as much once more */
	uint32_t others; /* replays of other sizes that are to follow the next one */
	bool awaits;     /* it will be known soon how long its launches take on the device */
};

#define CHOICE_RARE 0.001 /* of the time of all classes */

struct choice_terms {
	uint64_t all_ns, left_ns; /* the whole budget, and what is left of it */
	uint64_t ran_ns;          /* how long the program has run so far, without replays */
	uint64_t busy_ns;         /* how long all of its classes have, as far as known */
};

/*
 * Sets `chosen` of each candidate.  If half of the budget suffices for all classes, including those
 * already replayed, all are chosen.  Otherwise the busiest are chosen first, as far as the rest of
 * the budget goes; a class whose next replay costs too much is skipped in favour of less busy ones
 * that cost less, and what reserves is not chosen itself.  A class that has run for less than
 * CHOICE_RARE of the time of all is not chosen then: its replay would cost as much as that of a
 * busy one, and would leave no room for what becomes busy later.  Which classes are busy is known
 * only after a while: so in this case a class is chosen only once the program has run for as long
 * as its replay would take.  A class that awaits times is not chosen, unless a tenth of the budget
 * suffices for all but their copies, which may not be known yet: until they tell whether the
 * program's launches find their data in the cache, a replay may have to be made once more, but a
 * program with few classes may have ended by then.
 * Sorts the candidates by busy_ns, the busiest first.
 */
void choice_make(
	struct replay_candidate *candidates, size_t count, const struct choice_terms *terms);

/* Whether a class that has run for busy_ns is rare, where all classes have run for all_ns. */
static inline bool choice_is_rare(uint64_t busy_ns, uint64_t all_ns)
{
	return (double)busy_ns < CHOICE_RARE * (double)all_ns;
}

#endif
