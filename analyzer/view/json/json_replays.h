/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_JSON_REPLAYS_H
#define PWRTRACE_JSON_REPLAYS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* The member "replays" of a report; nothing where there were none, as in most traces. */
void json_put_replays(FILE *out, const struct ledger *ledger);

/* That of a row whose kernel was replayed, with a comma before it. */
void json_put_row_replays(FILE *out, const struct ledger_row *row);

#endif
