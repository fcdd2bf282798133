/* SPDX-License-Identifier: MIT */
/* What rows by collective have besides: how long ranks waited, and whether latency bounds them. */
#ifndef PWRTRACE_COLLECTIVE_ROWS_H
#define PWRTRACE_COLLECTIVE_ROWS_H

#include "analyzer/ledger/ledger.h"

/* Adds an execution of a collective to its row. */
void collective_rows_add(struct ledger_row *row, const struct model_collective_run *run,
	const struct execution_energy *attributed);

/* Sets the slopes of all rows, when they are complete. */
void collective_rows_finish(struct ledger *ledger);

#endif
