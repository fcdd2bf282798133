/* SPDX-License-Identifier: MIT */
/* Divides the idle energy of a source among those who waited while its devices ran nothing. */
#ifndef PWRTRACE_IDLE_H
#define PWRTRACE_IDLE_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/store/mapped_array.h"

#define IDLE_NO_ACCOUNT G_MAXUINT

/* From time_ns on, idle energy of a waiter (a thread or a process) is charged to an account (a row
 * or an iteration), or to none. */
struct idle_switch {
	uint64_t time_ns;
	guint waiter;  /* counted from 0 */
	guint account; /* counted from 0, or IDLE_NO_ACCOUNT */
};

/* Sorts switches (struct idle_switch) by time; those of the same time stay in their order. */
void idle_sort(struct mapped_array *switches);

/*
 * Divides the idle energy of a source (its index in ledger->sources), at each moment equally among
 * the accounts that the waiters have then, each counted once.  Adds to idle_nj[accounts + 1]:
 * idle_nj[accounts] gets the energy of times when no waiter has an account.  What is added is
 * exactly the source's idle energy.  switches are in the order of time.
 */
void idle_split(const struct ledger *ledger, guint source, struct mapped_array *switches,
	guint waiters, guint accounts, uint64_t *idle_nj);

#endif
