/* SPDX-License-Identifier: MIT */
/* The sums over the executions of a row: of the row alone, or of a layer with those inside it. */
#ifndef PWRTRACE_VIEW_SUMS_H
#define PWRTRACE_VIEW_SUMS_H

#include "analyzer/ledger/ledger.h"

/* Returns the sums of the row alone.  Times count as often as they overlap. */
struct ledger_sums sums_own(const struct ledger_row *row);

/* Returns the sums of the row with those below it, where it has a place in a tree; else of the row
 * alone. */
struct ledger_sums sums_shown(const struct ledger_row *row);

/* Whether rows have places in a tree, as layers do. */
bool sums_in_tree(const struct ledger *ledger);

/* Whether some execution has a time, or none ran. */
bool sums_time_known(const struct ledger_sums *sums);

/* Their part of the energy attributed; negative where it is not known. */
double sums_share(const struct ledger *ledger, const struct ledger_sums *sums);

/* The mean power in watts over the measured time in which they ran; negative where it is not
 * known. */
double sums_power(const struct ledger_sums *sums);

/* Half the 95 % interval of the energy in joules; negative where it is not known. */
double sums_ci95(const struct ledger_sums *sums);

#endif
