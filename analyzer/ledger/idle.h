/* SPDX-License-Identifier: MIT */
/* Who waited while a device ran nothing: idle energy, split over time. */
#ifndef PWRTRACE_IDLE_H
#define PWRTRACE_IDLE_H

#include "analyzer/ledger/ledger.h"

#define IDLE_NO_ACCOUNT G_MAXUINT

/* From then on, what is done in a waiter is that of a account, or IDLE_NO_ACCOUNT's. */
struct idle_switch {
	uint64_t time_ns;
	guint waiter, account;
};

/* Puts switches in the order of time; those of one moment stay as they are. */
void idle_sort(GArray *switches);

/*
 * Splits the idle energy of a source: at each moment equally among the accounts that are in waiters
 * then, each once; switches are in the order of time.  Where nobody is, it is of the account after
 * the last; while a replay goes on, when it is the replay that nothing runs for, of the one after
 * that. Adds to idle_nj[accounts + 2], in all exactly what is idle.
 */
void idle_split(const struct ledger *ledger, guint source, const GArray *switches, guint waiters,
	guint accounts, uint64_t *idle_nj);

#endif
