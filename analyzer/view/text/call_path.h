/* SPDX-License-Identifier: MIT */
/* Call paths for people: what all of them begin with is printed once, and long ones are cut in the
 * middle. */
#ifndef PWRTRACE_CALL_PATH_H
#define PWRTRACE_CALL_PATH_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* How many outer functions the call paths of all rows share; 0 where rows are something else. */
guint call_path_shared(const struct ledger *ledger);

/* The path of a row without those, cut in the middle where it is long.  g_free it. */
char *call_path_text(const struct ledger *ledger, const struct ledger_row *row, guint shared);

/* Writes a line with the functions that all call paths share. */
void call_path_put_shared(FILE *out, const struct ledger *ledger, guint shared);

#endif
