/* SPDX-License-Identifier: MIT */
/* How executions begin and end on their devices, step by step in the order of time. */
#ifndef PWRTRACE_EXECUTION_STEPS_H
#define PWRTRACE_EXECUTION_STEPS_H

#include "analyzer/ledger/ledger.h"

struct execution_step {
	struct execution_energy attributed;
	const struct ledger_row *row; /* of the execution alone; NULL: rows are not by launch */
	uint64_t number;    /* of the execution, from 1 in the order in which they begin */
	double static_nj;   /* the static energy in its energy; NaN: it is not told apart */
	double power_w;     /* while it is known, as reports have it; NaN: it never is */
	uint64_t device_uw; /* the power that the energies of what runs after the step make */
	guint lane;         /* from 0: in a lane of a stream nothing overlaps */
	bool begins;        /* else it ends */
	bool measured;      /* its energy is known */
};

static inline uint64_t execution_step_ns(const struct execution_step *step)
{
	const struct model_execution *execution = step->attributed.execution;

	return step->begins ? execution->begin_ns : execution->end_ns;
}

/* Whether it changes the power of its device. */
static inline bool execution_step_has_power(const struct execution_step *step)
{
	const struct model_execution *execution = step->attributed.execution;

	return step->measured && execution->end_ns > execution->begin_ns;
}

typedef void execution_step_visitor(void *data, const struct execution_step *step);

/* Calls visitor(data, ...) for the begin and the end of each execution of the program.  One that
 * ends when another begins, ends first.  Executions whose times are not known are left out, with a
 * warning.  Memory grows with what runs at once, not with the number of executions. */
void execution_steps_visit(
	const struct ledger *ledger, execution_step_visitor *visitor, void *data);

#endif
