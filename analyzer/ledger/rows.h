/* SPDX-License-Identifier: MIT */
/* The rows of a ledger: executions summed by kernel, layer, stream ...  One row of a table in
 * rows.c per way to sum. */
#ifndef PWRTRACE_ROWS_H
#define PWRTRACE_ROWS_H

#include "analyzer/ledger/ledger.h"

/* Fills ledger->rows, by ledger->by, from its attribution. */
void rows_make(struct ledger *ledger);

/* Frees the strings that a row owns. */
void rows_clear(struct ledger_row *row);

#endif
