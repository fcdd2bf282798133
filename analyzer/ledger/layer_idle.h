/* SPDX-License-Identifier: MIT */
/*
 * Idle energy by layer.  What a device draws while it runs nothing is charged to the innermost
 * layer that a thread has open and in which something ran on that device, equally where several
 * threads have such a layer open; to "(no layer)" where none has.
 */
#ifndef PWRTRACE_LAYER_IDLE_H
#define PWRTRACE_LAYER_IDLE_H

#include "analyzer/ledger/layer_rows.h"

/* Charges the rows of layers.  The sum is exactly the idle energy of the balance. */
void layer_idle_charge(struct ledger *ledger, struct layer_rows *layers);

#endif
