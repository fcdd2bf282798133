/* SPDX-License-Identifier: MIT */
/* Which classes are replayed, where the budget is not enough for all. */
#ifndef PWRTRACE_REPLAY_CHOICE_H
#define PWRTRACE_REPLAY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A class that is not yet replayed. */
struct replay_candidate {
	uint32_t class_id;
	uint64_t busy_ns; /* how long it has run so far; 0: not known, it cannot be chosen yet */
	uint64_t cost_ns; /* for how long its replay would hold the program up */
	bool chosen;
};

struct choice_terms {
	uint64_t all_ns, left_ns; /* the budget, and what is left of it */
	uint64_t ran_ns;          /* how long the program has run so far, without replays */
};

/*
 * Chooses.  As long as half of the budget is enough for all classes, those that were replayed
 * already too, all are chosen.  Else the busiest come first, so far as the rest of the budget goes:
 * one that it is not enough for makes target for less busy ones that cost less.  To know which are
 * busy takes a while: then none is chosen before the program has run for as long as its replay
 * takes.  Leaves the candidates in the order of busy_ns, the busiest first.
 */
void choice_make(struct replay_candidate *candidates, size_t count, const struct choice_terms *terms);

#endif
