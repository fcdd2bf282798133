/* SPDX-License-Identifier: MIT */
/*
 * The power of units over time: a sweep over executions in the order of time, which finds each
 * stretch in which the powers are constant.  Executions draw their energies evenly; while none
 * runs, a unit draws the mean of its idle power.
 */
#ifndef PWRTRACE_POWER_SWEEP_H
#define PWRTRACE_POWER_SWEEP_H

#include "analyzer/power/unit.h"

struct power_stretch {
	uint64_t begin_ns, end_ns;
	int64_t modelled_uw;  /* by the energies of executions and the idle power */
	int64_t uncertain_uw; /* of that, of executions whose powers the readings do not tell */
	int64_t measured_uw;  /* by the readings */
	bool busy;
	const struct model_state *state; /* of a unit; NULL: not known */
};

/* Called with each stretch of a unit in which its power is known, in the order of time; unit is the
 * number of units for the sum of all, which is known where all are. */
typedef void power_visitor(void *data, guint unit, const struct power_stretch *stretch);

struct power_sweep;

/* Begins a sweep.  idle_uw: by unit.  What is given must outlive the sweep. */
struct power_sweep *power_sweep_new(const struct power_units *units, const int64_t *idle_uw,
	power_visitor *visitor, void *data);

/* Adds an execution, in the order in which they began; those on no unit change nothing. */
void power_sweep_add(struct power_sweep *sweep, const struct execution_energy *attributed);

/* Ends and frees it. */
void power_sweep_end(struct power_sweep *sweep);

#endif
