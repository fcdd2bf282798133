/* SPDX-License-Identifier: MIT */
/*
 * From powers to energies: an execution gets its power times its time, and the device's static
 * power is shared equally by what runs at a moment.  Within each cell of some five seconds all of
 * these, and idle, are then scaled alike, so that they add up to the measured energy in nanojoules.
 */
#ifndef PWRTRACE_RAKE_H
#define PWRTRACE_RAKE_H

#include "analyzer/attribute/balance.h"
#include "analyzer/attribute/energies.h"
#include "analyzer/regress/fit.h"

struct rake;

/* Splits the energy of a source by the powers of a fit.  One of the two that are told is NULL:
 * either the balance, and what the fit and its classes say of what was raked, are added to; or the
 * energies of executions are. */
struct rake *rake_new(const struct model *model, const struct source *source, struct fit *fit,
	struct balance *balance, struct energies *energies);

/* Goes on to all cells that begin before a time, which must not decrease. */
void rake_until(struct rake *rake, uint64_t until_ns);
void rake_free(struct rake *rake);

#endif
