/* SPDX-License-Identifier: MIT */
/* The intervals, static parts and groups of a ledger's rows, from the fits that its executions'
 * energies come from. */
#ifndef PWRTRACE_INTERVALS_H
#define PWRTRACE_INTERVALS_H

#include "analyzer/ledger/ledger.h"

struct intervals;

/* single: each row has one execution, and its interval is set at once. */
struct intervals *intervals_new(struct ledger *ledger, bool single);

/* An execution of a row. */
void intervals_add(
	struct intervals *intervals, guint row, const struct execution_energy *attributed);

/* Sets the rows, and frees the intervals. */
void intervals_finish(struct intervals *intervals);

#endif
