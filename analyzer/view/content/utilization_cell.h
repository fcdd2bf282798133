/* SPDX-License-Identifier: MIT */
/* How busy a row kept the parts of its device, as text. */
#ifndef PWRTRACE_UTILIZATION_CELL_H
#define PWRTRACE_UTILIZATION_CELL_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/print/cell.h"
#include "analyzer/view/content/options.h"

/* Of the parts of a device (pwrtrace/parts.def), what tables call them. */
extern const char *const utilization_headings[];

/* Returns the rows of a ledger that know it of those a report shows; the caller frees the array. */
GPtrArray *utilization_rows(const struct ledger *ledger, const struct view_options *options);

/* Whether the interval leaves anything to say. */
bool utilization_known(const struct ledger_utilization *of_part);

/* In percent with half of the 95 % interval, as "62 ±3"; "unknown" where nothing can be said. */
void utilization_cell(char cell[CELL_MAX], const struct ledger_utilization *of_part);

#endif
