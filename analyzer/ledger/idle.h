/* SPDX-License-Identifier: MIT */
/* Divides the idle energy of a source among those who waited while its devices ran nothing. */
#ifndef PWRTRACE_IDLE_H
#define PWRTRACE_IDLE_H

#include "analyzer/ledger/ledger.h"

#define IDLE_NO_ACCOUNT G_MAXUINT

/* From time_ns on, idle energy of a waiter (a thread or a process) is charged to an account (a row
 * or an iteration), or to none. */
struct idle_switch {
	uint64_t time_ns;
	guint waiter;  /* counted from 0 */
	guint account; /* counted from 0, or IDLE_NO_ACCOUNT */
};

/* Switches in the order of time: at returns the one of an index below count. */
struct idle_switches {
	guint count;
	struct idle_switch (*at)(void *context, guint i);
	void *context;
};

/*
 * Divides the idle energy of a source (its index in ledger->sources), at each moment equally among
 * the accounts that the waiters have then, each counted once.  Adds to idle_nj[accounts + 1]:
 * idle_nj[accounts] gets the energy of times when no waiter has an account.  What is added is
 * exactly the source's idle energy.
 */
void idle_split(const struct ledger *ledger, guint source, const struct idle_switches *switches,
	guint waiters, guint accounts, uint64_t *idle_nj);

#endif
