/* SPDX-License-Identifier: MIT */
/*
 * From powers to energies: an execution gets its power times its time, and the device's static
 * power is shared equally by what runs at a moment.  Within each block of some five seconds all of
 * these, and idle, are then scaled alike, so that they add up to the measured energy in nanojoules.
 */
#ifndef PWRTRACE_RAKE_H
#define PWRTRACE_RAKE_H

#include "analyzer/attr/fit.h"

/* Sets the executions' energies, the balance, and static_ns and the energies of the fit's
 * classes. */
void rake(struct model *model, const struct source *source, struct fit *fit,
	struct ledger_balance *balance);

#endif
