/* SPDX-License-Identifier: MIT */
/* Phases that are layers, as record --layers torch names them. */
#ifndef PWRTRACE_EFFICIENCY_PHASES_H
#define PWRTRACE_EFFICIENCY_PHASES_H

#include "analyzer/efficiency/run.h"

/* Adds those of a ledger by layer to phases (struct efficiency_phase): the energy of "prefill" for
 * each of the "input tokens" that were marked in it, that of "decode" for each of its "tokens", and
 * those of "forward", "backward" and "optimizer" for each "iteration". */
void phases_of_layers(const struct ledger *ledger, GArray *phases);

/* Adds the times from one mark "tokens" to the next in the phase "decode" (where no mark is in it,
 * from any but the first of a process), and how many sequences the marks in "prefill" began. */
void phases_find_gaps(const struct ledger *ledger, struct efficiency_steady *steady);

#endif
