/* SPDX-License-Identifier: MIT */
/* Computes the 95 % intervals, static energies and groups of a ledger's rows, from the fits by
 * which the energies of its executions were divided. */
#ifndef PWRTRACE_INTERVALS_H
#define PWRTRACE_INTERVALS_H

#include "analyzer/ledger/ledger.h"

struct intervals;

/* Begins; the ledger must outlive the result.  single: each row has a single execution, and its
 * interval is set when that is added. */
struct intervals *intervals_new(struct ledger *ledger, bool single);

/* Adds an execution to a row (its index). */
void intervals_add(
	struct intervals *intervals, guint row, const struct execution_energy *attributed);

/* Adds an execution of the replays of a row's kernel. */
void intervals_add_replay(
	struct intervals *intervals, guint row, const struct execution_energy *attributed);

/* Sets the intervals and groups of all rows, and frees intervals. */
void intervals_finish(struct intervals *intervals);

/* Whether no fit that divides the energy of a device leaves open what of it is static. */
bool intervals_static_known(const struct ledger *ledger, uint32_t gpu);

#endif
