/* SPDX-License-Identifier: MIT */
/* Makes the rows of a ledger: executions summed by kernel, layer, stream and so on.  Two tables in
 * rows.c, ledger_bys and criteria, have a line for each. */
#ifndef PWRTRACE_ROWS_H
#define PWRTRACE_ROWS_H

#include "analyzer/ledger/ledger.h"

/* Fills ledger->rows, by ledger->by, from its attribution. */
void rows_make(struct ledger *ledger);

/* Frees what a row owns. */
void rows_clear(struct ledger_row *row);

#endif
