/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_TEXT_REPLAYS_H
#define PWRTRACE_TEXT_REPLAYS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* Which classes were replayed and which were not, and why; nothing where none was to be. */
void text_put_replays(FILE *out, const struct ledger *ledger);

/* A line of the balance: their energy and time. */
void text_put_replays_energy(FILE *out, const struct ledger *ledger);

#endif
