/* SPDX-License-Identifier: MIT */
/* What rows are called in the text report: short, and no two of them alike. */
#ifndef PWRTRACE_TEXT_NAME_H
#define PWRTRACE_TEXT_NAME_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

struct text_names;

/* Returns the names of all rows of a ledger, which must outlive them.  text_names_free frees them.
 */
struct text_names *text_names_new(const struct ledger *ledger);
void text_names_free(struct text_names *names);

/* Writes the line below the table that explains shortened call paths; nothing where there are none.
 */
void text_put_names_end(FILE *out, const struct text_names *names);

/* Writes a row's label, or its shortened call path. */
void text_put_name(FILE *out, const struct text_names *names, const struct ledger_row *row);

#endif
