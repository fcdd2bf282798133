/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_JSON_ROWS_H
#define PWRTRACE_JSON_ROWS_H

#include <stdio.h>

#include "analyzer/view/content/column.h"

/* The last member of a report, "rows", without a comma behind it. */
void json_put_rows(FILE *out, const struct ledger *ledger, const struct view_options *options);

/* The members of a row that are neither objects nor arrays, each after a comma.  columns: as
 * columns_printed returns them for COLUMN_IN_JSON. */
void json_put_flat_row(FILE *out, const GPtrArray *columns, const struct column_row *of);

#endif
