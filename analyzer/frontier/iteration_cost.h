/* SPDX-License-Identifier: MIT */
/*
 * The time and energy of an iteration, idle energy included, in the mean over those that are
 * measured as a whole, but for each process's first.  One ends when all that was launched in it has
 * ended, and the next begins then.
 */
#ifndef PWRTRACE_ITERATION_COST_H
#define PWRTRACE_ITERATION_COST_H

#include "analyzer/compare/run.h"
#include "analyzer/frontier/frontier.h"

/* Sets times and energies of a point, in s and J, and half their 95 % intervals (NaN: there are too
 * few iterations), by how much iterations differ.  Returns false where there are no iterations, or
 * the energy of none is known. */
bool iteration_cost(const struct ledger *ledger, struct frontier_point *point);

/* The same of one of a unit of work: the cost of these iterations, divided by the amount that marks
 * count in them; intervals are by how much costs differ from what is in proportion to amounts.
 * Returns false, too, where one of these iterations has no such mark. */
bool iteration_cost_of_work(
	const struct ledger *ledger, const struct run_work *work, struct frontier_point *point);

#endif
