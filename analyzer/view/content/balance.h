/* SPDX-License-Identifier: MIT */
/* What the balance shows, as text and as HTML. */
#ifndef PWRTRACE_VIEW_BALANCE_H
#define PWRTRACE_VIEW_BALANCE_H

#include "analyzer/ledger/ledger.h"

/* The name of a sensor's balance: its device, the host where there are several, its domain, and
 * what it is not part of.  g_free it. */
char *balance_name(const struct ledger *ledger, const struct ledger_balance *balance);

/* Whether replays ran, which have a part of the balance then. */
bool balance_has_replays(const struct ledger *ledger);

/* What the energy of a ledger is: "measured", "estimated" or "measured or estimated". */
const char *balance_word(const struct ledger *ledger);

#endif
