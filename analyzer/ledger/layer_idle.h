/* SPDX-License-Identifier: MIT */
/*
 * Idle energy by layer: of a device that runs nothing, it is that of the innermost layer that a
 * thread has open and in which something ran on that device; of several threads' equally.  Where
 * there is none, it is of no layer.
 */
#ifndef PWRTRACE_LAYER_IDLE_H
#define PWRTRACE_LAYER_IDLE_H

#include "analyzer/ledger/layer_rows.h"

/* Charges the rows, in all with exactly what is idle in the balance. */
void layer_idle_charge(struct ledger *ledger, struct layer_rows *layers);

#endif
