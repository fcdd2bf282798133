/* SPDX-License-Identifier: MIT */
/*
 * From powers to energies: an execution gets its power times its time, and the device's static
 * power is shared equally by what runs at a moment.  Within each block of some five seconds all of
 * these, and idle, are then scaled alike, so that they add up to the measured energy in nanojoules.
 */
#ifndef PWRTRACE_RAKE_H
#define PWRTRACE_RAKE_H

#include "analyzer/regress/fit.h"

/* Adds to the executions' energies, to the balance, and to what the fit and its classes say of what
 * was raked. */
void rake(struct model *model, const struct source *source, struct fit *fit,
	struct ledger_balance *balance);

#endif
